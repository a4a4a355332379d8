//! Operations on the bit rows of patches.

use arcloom_value::{Patch, PatchBuf, Value};

/// The positions of a patch, colours left out.
pub fn union(patch: &Patch) -> Value {
    let frame = patch.frame();
    let mut buf = PatchBuf::indices(
        frame.top.into(),
        frame.left.into(),
        frame.height as usize,
        frame.width as usize,
    );
    let out = buf.layer_mut(0);
    for k in 0..patch.layer_count() {
        for (word, bits) in out.iter_mut().zip(patch.layer(k)) {
            *word |= bits;
        }
    }
    buf.into()
}
