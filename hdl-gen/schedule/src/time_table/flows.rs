//! Flows: the words that are to be sent, and the channels that they take.

/// The most that words and the channels of their routes come to, all together: for each word each channel
/// that it takes.
pub const MOST_USES: u64 = 1 << 23;
/// The most that channels and slots of the frame come to, multiplied.
pub const MOST_PLACES: u64 = 1 << 30;

/// Words that go the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The channels in order, at least one. The channels by which words enter and leave are among them.
    pub route: Vec<u32>,
    /// Words in a frame, at least 1.
    pub words: u32,
}

/// All flows of a network, at most [`MOST_USES`] uses of channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flows {
    flows: Vec<Flow>,
    /// By channel, its words in a frame.
    loads: Vec<u32>,
}

/// Reason that flows cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlowsError {
    /// A route without channels.
    #[error("flow {0} has no channel")]
    NoChannel(usize),
    /// A flow of nothing.
    #[error("flow {0} has no words; use at least 1")]
    NoWords(usize),
    /// A channel that the network does not have.
    #[error("channel {channel} of flow {flow} is out of range; there are {channels}")]
    Channel {
        channel: u32,
        flow: usize,
        /// Number of channels.
        channels: u32,
    },
    /// More words times channels than there may be.
    #[error("{0} uses of channels by words are more than {MOST_USES}")]
    Uses(u64),
}

/// Reason that there is no frame of so many slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A frame of no slots.
    #[error("a frame of 0 slots holds no word; use at least 1")]
    Zero,
    /// More places than there may be.
    #[error("{slots} slots of {channels} channels are more than {MOST_PLACES} in all")]
    Places {
        /// Slots of the frame.
        slots: u32,
        /// Channels that some word takes.
        channels: u32,
    },
}

impl Flows {
    /// Flows over channels 0 to `channels` - 1.
    ///
    /// # Errors
    /// [`FlowsError`], with the first flow that cannot be.
    pub fn new(channels: u32, flows: Vec<Flow>) -> Result<Self, FlowsError> {
        let mut all = 0;
        for (at, Flow { route, words }) in flows.iter().enumerate() {
            if route.is_empty() {
                return Err(FlowsError::NoChannel(at));
            }
            if *words == 0 {
                return Err(FlowsError::NoWords(at));
            }
            if let Some(&channel) = route.iter().find(|&&channel| channel >= channels) {
                return Err(FlowsError::Channel { channel, flow: at, channels });
            }
            all += route.len() as u64 * u64::from(*words);
        }
        if all > MOST_USES {
            return Err(FlowsError::Uses(all));
        }
        let mut loads = vec![0; channels as usize];
        for Flow { route, words } in &flows {
            route.iter().for_each(|&channel| loads[channel as usize] += words);
        }
        Ok(Self { flows, loads })
    }

    pub fn list(&self) -> &[Flow] {
        &self.flows
    }

    /// Number of channels.
    pub fn channels(&self) -> u32 {
        self.loads.len() as u32
    }

    /// By channel, its words in a frame. A word that takes a channel twice counts twice.
    pub fn loads(&self) -> &[u32] {
        &self.loads
    }

    /// Words in a frame.
    pub fn words(&self) -> u32 {
        self.flows.iter().map(|flow| flow.words).sum()
    }

    /// The first channel with the most words. `None` where there is no channel.
    pub fn busiest(&self) -> Option<u32> {
        let most = self.bound();
        (0..).zip(&self.loads).find(|(_, load)| **load == most).map(|(channel, _)| channel)
    }

    /// The words of the busiest channel. No table has fewer slots.
    pub fn bound(&self) -> u32 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    /// The first flow whose words meet the next ones of their own kind in any frame of so many slots: its
    /// route takes one channel twice, a number of channels apart that the frame divides. There is then no
    /// table, whatever the starts.
    pub fn meets_itself(&self, frame: u32) -> Option<usize> {
        self.flows.iter().position(|Flow { route, .. }| {
            // The slots in which a word takes its channels, had it started in slot 0.
            let slots = (0..).zip(route).map(|(place, &channel)| (channel, place % frame));
            let mut slots: Vec<(u32, u32)> = slots.collect();
            slots.sort_unstable();
            slots.windows(2).any(|pair| pair[0] == pair[1])
        })
    }

    /// Checks a number of slots.
    ///
    /// # Errors
    /// [`FrameError`].
    pub fn check_frame(&self, slots: u32) -> Result<(), FrameError> {
        let channels = self.channels();
        match () {
            () if slots == 0 => Err(FrameError::Zero),
            () if u64::from(slots) * u64::from(channels) > MOST_PLACES => {
                Err(FrameError::Places { slots, channels })
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(route: &[u32], words: u32) -> Flow {
        Flow { route: route.to_vec(), words }
    }

    #[test]
    fn the_busiest_channel_bounds_the_frame() {
        let flows = Flows::new(4, vec![flow(&[0, 2], 2), flow(&[1, 2, 1], 3)]).unwrap();
        assert_eq!((flows.loads(), flows.words()), (&[2, 6, 5, 0][..], 5));
        assert_eq!((flows.bound(), flows.busiest()), (6, Some(1)));
        let none = Flows::new(0, Vec::new()).unwrap();
        assert_eq!((none.bound(), none.busiest(), none.words()), (0, None, 0));
    }

    #[test]
    fn a_route_that_comes_back_meets_its_own_words_in_frames_that_divide_the_way() {
        let flows = Flows::new(5, vec![flow(&[0], 1), flow(&[1, 2, 3, 4, 2], 1)]).unwrap();
        let meeting: Vec<u32> = (1..9).filter(|&t| flows.meets_itself(t).is_some()).collect();
        assert_eq!(meeting, [1, 3]);
        assert_eq!(flows.meets_itself(3), Some(1));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let of = |route: &[u32], words| {
            Flows::new(2, vec![flow(&[0], 1), flow(route, words)]).unwrap_err()
        };
        assert_eq!(of(&[], 1), FlowsError::NoChannel(1));
        assert_eq!(of(&[0], 0), FlowsError::NoWords(1));
        assert_eq!(of(&[0, 2], 1), FlowsError::Channel { channel: 2, flow: 1, channels: 2 });
        assert_eq!(of(&[0, 1], 1 << 22), FlowsError::Uses((1 << 23) + 1));
        let flows = Flows::new(1 << 20, vec![flow(&[0], 1)]).unwrap();
        assert_eq!(flows.check_frame(0), Err(FrameError::Zero));
        assert_eq!(flows.check_frame(1 << 10), Ok(()));
        let (slots, channels) = ((1 << 10) + 1, 1 << 20);
        assert_eq!(flows.check_frame(slots), Err(FrameError::Places { slots, channels }));
    }
}
