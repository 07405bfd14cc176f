// Shifts a voice by two taps of a delay line. Arguments: sound, result, ratio of frequencies.
SndBuf lead => PitShift shifter => WvOut result => blackhole;
me.arg(0) => lead.read;
0 => lead.pos;
1 => shifter.mix;
Std.atof(me.arg(2)) => shifter.shift;
me.arg(1) => result.wavFilename;
lead.samples()::samp => now;
result.closeFile();
