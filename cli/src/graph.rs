//! `intentgate graph`: models as pictures.

use crate::FINE;
use crate::args::{GraphArgs, Picture};
use crate::files::Unusable;
use crate::plan::start::{Place, page};
use intentgate::planner::draw::Marks;
use intentgate::planner::{Bounds, Found, Goal, Model, Planner, Start};
use std::io::Write;

pub(crate) fn graph(args: &GraphArgs) -> Result<u8, Unusable> {
    let Place { model, start, .. } = Place::read(&args.model)?;
    let text = picture(&model, &start, &args.to, args.picture)?;
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(FINE)
}

/// A model with the page on which somebody is, and a cheapest way to one of some pages.
pub(crate) fn picture(
    model: &Model,
    start: &Start,
    to: &[String],
    picture: Picture,
) -> Result<String, Unusable> {
    let targets = to.iter().map(|name| page(model, name)).collect::<Result<Vec<_>, _>>()?;
    let found = match targets.is_empty() {
        true => Found::AlreadyThere,
        false => Planner::new(&model.weighed()).plan(start, &Goal::Any(targets), &Bounds::default())?,
    };
    let plan = match &found {
        Found::Path(path) => Some(path),
        _ => None,
    };
    let marks = Marks { current: start.page, plan, ..Marks::default() };
    Ok(match picture {
        Picture::Dot => model.to_dot(&marks),
        Picture::Mermaid => model.to_mermaid(&marks),
        Picture::Svg => model.to_svg(&marks),
    })
}
