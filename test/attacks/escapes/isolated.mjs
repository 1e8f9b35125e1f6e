import fs from 'node:fs'
import { serialize } from 'node:v8'
import { tryAll } from './attempts.mjs'

/** A hostile module in an isolate: tries everything that is forbidden, or lies to its caller. */
export default function hostile({ target, lie }) {
  return lie === undefined ? tryAll(target) : lies[lie]()
}

/** Behind input, output and errors. */
const PIPE = 3

function told(value) {
  const body = serialize(value)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.byteLength)
  fs.writeSync(PIPE, Buffer.concat([head, body]))
}

const forever = () => new Promise(() => {})

const lies = {
  'bytes that are nothing': () => {
    fs.writeSync(PIPE, Buffer.alloc(4096, 0xff))
    return forever()
  },
  'a frame that is no value': () => {
    const frame = Buffer.alloc(104, 0xff)
    frame.writeUInt32BE(100)
    fs.writeSync(PIPE, frame)
    return forever()
  },
  'a length beyond all answers': () => {
    fs.writeSync(PIPE, Buffer.from([0x7f, 0xff, 0xff, 0xff]))
    return forever()
  },
  null: () => {
    told(null)
    return forever()
  },
  "a message of Node's own": () => {
    told({ cmd: 'NODE_HANDLE_ACK' })
    return forever()
  },
  'an error without words': () => {
    told({ type: 'error', number: 1, code: 'constructor', message: {} })
    return forever()
  },
  'that it is ready, once more': () => {
    told({ type: 'ready' })
    return forever()
  },
  'the answer to the next question': () => {
    told({ type: 'ok', number: 2, value: 'a lie' })
    return forever()
  },
  'values nested without end': () => {
    let deep = []
    for (let level = 0; level < 3000; level++) deep = [deep]
    told({ type: 'ok', number: 'x', value: deep })
    return forever()
  },
  'two answers': () => {
    told({ type: 'ok', number: 1, value: 'first' })
    told({ type: 'ok', number: 1, value: 'second' })
    return forever()
  },
}

export const LIES = Object.keys(lies)
