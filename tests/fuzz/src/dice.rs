//! Choices that bytes make: the same bytes choose the same.

/// Bytes, one after another; zeros when they are used up.
pub struct Dice<'b>(std::slice::Iter<'b, u8>);

impl<'b> Dice<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes.iter())
    }

    pub fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or_default()
    }

    /// A number below this one, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        let number = usize::from(self.byte());
        if end <= 256 {
            number % end
        } else {
            (number << 8 | usize::from(self.byte())) % end
        }
    }

    /// One of these.
    pub fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// Once in so many times.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.len() == 0
    }
}
