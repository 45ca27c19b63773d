(define (problem change-time-zone)
  (:domain utg-automation)

  (:objects
    SplashActivity - node
    MainActivity - node
    EventActivity - node
    SettingsActivity - node
    AboutActivity - node
    TaskActivity - node
    SelectTimeZoneActivity - node
    ManageEventTypesActivity - node
    WidgetListConfigureActivity - node
    ContributorsActivity - node
    FAQActivity - node
    LicenseActivity - node
  )

  (:init
    (at SplashActivity)

    (goal-node SelectTimeZoneActivity)

    (connected SplashActivity MainActivity)
    (connected MainActivity EventActivity)
    (connected MainActivity SettingsActivity)
    (connected MainActivity AboutActivity)
    (connected MainActivity TaskActivity)
    (connected EventActivity EventActivity)
    (connected EventActivity SelectTimeZoneActivity)
    (connected SettingsActivity ManageEventTypesActivity)
    (connected SettingsActivity WidgetListConfigureActivity)
    (connected AboutActivity ContributorsActivity)
    (connected AboutActivity FAQActivity)
    (connected AboutActivity LicenseActivity)
    (connected TaskActivity TaskActivity)
  )

  (:goal
    (goal-achieved SelectTimeZoneActivity)
  )
)
