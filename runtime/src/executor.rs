//! What drives an app: screens, devices, and the replies of a model that acts on them.

pub mod device;
pub mod reply;
pub mod screen;
