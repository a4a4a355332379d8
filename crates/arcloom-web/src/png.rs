//! Grids as small pictures: one pixel per cell, which the style sheet enlarges. They need no script. An
//! address can hold the picture itself; a browser loads those at once, seen or not, so lists of thousands
//! name pictures instead, which it asks for as they come into view.

use arcloom::Grid;
use arcloom::draw::Palette;

/// Colours a cell can have; others are drawn as the first.
const COLORS: usize = 16;

/// The address of a picture of a grid.
pub(crate) fn data_url(grid: &Grid, palette: &Palette) -> String {
    format!("data:image/png;base64,{}", base64(&png(grid, palette)))
}

/// A PNG with four bits per pixel. Its data is stored, not packed: grids are smaller than the tables of
/// a packer.
pub(crate) fn png(grid: &Grid, palette: &Palette) -> Vec<u8> {
    let (width, height) = (grid.width(), grid.height());
    let mut colors = Vec::with_capacity(COLORS * 3);
    for n in 0..10 {
        let text = palette.colors[n].to_string();
        let channel = |at: usize| u8::from_str_radix(text.get(at..at + 2).unwrap_or("00"), 16);
        colors.extend([1, 3, 5].map(|at| channel(at).unwrap_or(0)));
    }
    let mut rows = Vec::with_capacity(height * (width / 2 + 2));
    for row in grid.rows() {
        rows.push(0);
        let cell = |cell: Option<&i8>| cell.map_or(0, |&c| u8::try_from(c).unwrap_or(0).min(9));
        rows.extend(row.chunks(2).map(|two| cell(two.first()) << 4 | cell(two.get(1))));
    }
    let mut head = Vec::with_capacity(13);
    head.extend((width as u32).to_be_bytes());
    head.extend((height as u32).to_be_bytes());
    head.extend([4, 3, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut out, b"IHDR", &head);
    chunk(&mut out, b"PLTE", &colors);
    chunk(&mut out, b"IDAT", &stored(&rows));
    chunk(&mut out, b"IEND", &[]);
    out
}

/// A stream of zlib that packs nothing. Each block has a length of two bytes.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = data.chunks(u16::MAX as usize).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in data {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn chunk(out: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let begin = out.len();
    out.extend(kind);
    out.extend(data);
    let sum = crc(&out[begin..]);
    out.extend(sum.to_be_bytes());
}

/// The checksum of a chunk.
fn crc(data: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 }
        })
    };
    !data.iter().fold(u32::MAX, step)
}

fn base64(data: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(data.len().div_ceil(3) * 4);
    for three in data.chunks(3) {
        let byte = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * n) & 63) as usize];
            out.push(if n <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(stored(b"Wikipedia")[16..], 0x11e6_0398_u32.to_be_bytes());
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|t| base64(t.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    #[test]
    fn a_picture_has_a_pixel_per_cell() {
        let grid = Grid::new(2, 3, &[0, 1, 2, 3, 4, 9]).unwrap();
        let made = png(&grid, &Palette::CLASSIC);
        assert_eq!(made[16..24], [0, 0, 0, 3, 0, 0, 0, 2]);
        let data = made.windows(4).position(|w| w == b"IDAT").unwrap();
        // Behind the heads of the stream and the block: a filter, then two cells a byte.
        assert_eq!(made[data + 11..data + 17], [0, 0x01, 0x20, 0, 0x34, 0x90]);
    }
}
