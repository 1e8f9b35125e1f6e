/** Records and replays model calls; loaded as one module. */
export { startModelRecording } from '../providers/tape/recording.ts'
export { recordingRegistry } from '../providers/tape/recording-registry.ts'
export { replayingRegistry } from '../providers/tape/replaying-registry.ts'
export { readModelTape } from '../providers/tape/tape.ts'
