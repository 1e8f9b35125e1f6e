import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

/** An ordered exchange of values with another process over a pipe. */
export interface Channel {
  readonly send: (value: unknown) => void
}

/** Size of a frame's header, which holds the length of the value. */
const HEAD_BYTES = 4

/** Maximum size of one value. A legitimate answer is smaller. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Node's own channel (`fork`) trusts its peer: invalid bytes, or a message that only Node sends,
 * end the process that reads them. This channel reports anything that is not a value as a fault,
 * once.
 */
export function channel(
  pipe: Socket,
  onValue: (value: unknown) => void,
  broken: () => void,
): Channel {
  let chunks: Buffer[] = []
  let bytes = 0
  let needed = HEAD_BYTES
  let isHead = true

  /** The next `needed` bytes. */
  function takeBytes(): Buffer {
    const all = Buffer.concat(chunks, bytes)
    const rest = all.subarray(needed)
    chunks = [rest]
    bytes = rest.byteLength
    return all.subarray(0, needed)
  }

  function read(): void {
    while (bytes >= needed) {
      const frame = takeBytes()
      if (!isHead) onValue(deserialize(frame))
      needed = isHead ? frame.readUInt32BE() : HEAD_BYTES
      if (needed > MOST_BYTES) throw new RangeError('longer than any answer')
      isHead = !isHead
    }
  }

  pipe.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.byteLength
    try {
      read()
    } catch {
      pipe.destroy()
      broken()
    }
  })
  // The peer is gone, which the end of the process reports.
  pipe.on('error', () => undefined)
  return {
    send(value) {
      const body = serialize(value)
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeUInt32BE(body.byteLength)
      pipe.write(Buffer.concat([head, body]))
    },
  }
}
