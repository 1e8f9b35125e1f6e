import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

/** Values to and from another process, in order, over a pipe. */
export interface Channel {
  readonly send: (value: unknown) => void
}

/** Of the head of a frame, which holds the length of what follows. */
const HEAD_BYTES = 4

/** Of one value. What is longer is no honest answer. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Node's own channel (`fork`) trusts who is at its other end: bytes that are no message, or a message that only Node
 * sends, end the process that reads them. Here whatever is no value is a fault, told once.
 */
export function channel(
  pipe: Socket,
  heard: (value: unknown) => void,
  broken: () => void,
): Channel {
  let chunks: Buffer[] = []
  let bytes = 0
  let wanted = HEAD_BYTES
  let isHead = true

  /** The next bytes, as many as are wanted. */
  function taken(): Buffer {
    const all = Buffer.concat(chunks, bytes)
    const rest = all.subarray(wanted)
    chunks = [rest]
    bytes = rest.byteLength
    return all.subarray(0, wanted)
  }

  function read(): void {
    while (bytes >= wanted) {
      const frame = taken()
      if (!isHead) heard(deserialize(frame))
      wanted = isHead ? frame.readUInt32BE() : HEAD_BYTES
      if (wanted > MOST_BYTES) throw new RangeError('longer than any answer')
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
  // Nobody is there any more, which the end of the process tells.
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
