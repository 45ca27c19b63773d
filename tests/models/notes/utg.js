var utg = 
{
  "nodes": [
    {"id": "e5b8", "shape": "image", "image": "states/screen_1.png", "label": "NexusLauncherActivity", "package": "com.google.android.apps.nexuslauncher", "activity": ".NexusLauncherActivity", "state_str": "e5b8", "structure_str": "8b42954c929549ae4451cb28b19a47df"},
    {"id": "aa01", "label": "MainActivity\n<FIRST>", "package": "org.example.notes", "activity": ".MainActivity", "state_str": "aa01", "structure_str": "1111954c929549ae4451cb28b19a47df", "font": "14px Arial red"},
    {"id": "aa02", "label": "MainActivity", "package": "org.example.notes", "activity": "org.example.notes.MainActivity", "state_str": "aa02", "structure_str": "1111954c929549ae4451cb28b19a47df"},
    {"id": "aa03", "label": "MainActivity", "package": "org.example.notes", "activity": ".MainActivity", "state_str": "aa03", "structure_str": "2222954c929549ae4451cb28b19a47df"},
    {"id": "bb01", "label": "EditActivity\n<LAST>", "package": "org.example.notes", "activity": ".EditActivity", "state_str": "bb01", "structure_str": "3333954c929549ae4451cb28b19a47df"},
    {"id": "cc01", "label": "null", "package": null, "activity": null, "state_str": "cc01", "structure_str": "4444954c929549ae4451cb28b19a47df"},
    {"label": "without an id", "package": "org.example.notes", "activity": ".MainActivity"}
  ],
  "edges": [
    {"from": "e5b8", "to": "aa01", "id": "e5b8-->aa01", "title": "<table class=\"table\"></table>", "label": "1", "events": [
      {"event_str": "IntentEvent(intent='am start org.example.notes/org.example.notes.MainActivity')", "event_id": 1, "event_type": "intent", "view_images": []}]},
    {"from": "aa01", "to": "bb01", "id": "aa01-->bb01", "label": "2, 3", "events": [
      {"event_str": "TouchEvent(state=aa01, view=2c8b8a86e7b5(MainActivity/Button-New note, \"now\"))", "event_id": 2, "event_type": "touch", "view_images": ["views/view_2c8b.png"]},
      {"event_str": "LongTouchEvent(state=aa01, view=9bdd82d47b33(MainActivity/View-))", "event_id": 3, "event_type": "long_touch", "view_images": []}]},
    {"from": "aa02", "to": "bb01", "id": "aa02-->bb01", "label": "4", "events": [
      {"event_str": "TouchEvent(state=aa02, view=2c8b8a86e7b5(MainActivity/Button-New note, \"now\"))", "event_id": 4, "event_type": "click", "view_images": []}]},
    {"from": "aa01", "to": "aa03", "id": "aa01-->aa03", "label": "5", "events": [
      {"event_str": "TouchEvent(state=aa01, view=2c8b8a86e7b5(MainActivity/Button-New note, \"now\"))", "event_id": 5, "event_type": "touch", "view_images": []}]},
    {"from": "bb01", "to": "aa01", "id": "bb01-->aa01", "label": "6", "events": [
      {"event_str": "KeyEvent(state=bb01, name=BACK)", "event_id": 6, "event_type": "key", "view_images": []}]},
    {"from": "bb01", "to": "dd99", "id": "bb01-->dd99", "label": "7", "events": [
      {"event_str": "TouchEvent(state=bb01, view=77aa_5)", "event_id": 7, "event_type": "touch", "view_images": []}]},
    {"from": "bb01", "to": "cc01", "id": "bb01-->cc01", "label": "8", "events": [
      {"event_str": "KillAppEvent()", "event_id": 8, "event_type": "kill_app", "view_images": []}]},
    {"from": null, "to": "aa01", "events": []},
    {"from": "bb01", "to": "bb01", "events": []}
  ],
  "num_nodes": 7,
  "num_edges": 9,
  "time_spent": 78.629783,
  "app_package": "org.example.notes",
  "app_main_activity": "org.example.notes.MainActivity"
};
