/** Ways in which a module inside an isolate can misbehave, for the isolate's test. */
import { randomUUID } from 'node:crypto'
import { ToolError } from '../../../core/tool/tool.ts'
import { isRecord } from '../../../core/value/json.ts'

let isWhole = true
export const isIntact = (): boolean => isWhole
/** Behind a wall each process has the same process id. */
const PROCESS = randomUUID()

const deeds: Readonly<Record<string, (value: unknown) => unknown>> = {
  echo: (value) => value,
  later: (value) => new Promise((resolve) => setTimeout(resolve, Number(value), value)),
  refuse: () => {
    throw new ToolError('INVALID_ARGS', 'no such thing')
  },
  break: () => {
    throw new TypeError('x is not a function')
  },
  spin: () => {
    for (;;);
  },
  // One growing array: V8 requests so much at once that a worker thread would end the process.
  hoard: () => {
    const hoard: number[] = []
    for (;;) hoard.push(hoard.length + 0.5)
  },
  // No heap limit counts buffers.
  buffer: () => {
    const hoard: Uint8Array[] = []
    for (;;) hoard.push(new Uint8Array(1024 * 1024).fill(1))
  },
  // Leaves this behind, however it ends.
  pollute: (value) => Object.assign(Object.prototype, { left: value }),
  replace: (value) => {
    // oxlint-disable-next-line no-extend-native
    Object.prototype.valueOf = () => value ?? {}
    return 'replaced'
  },
  patch: (value) => {
    Math.max = () => Number(value)
    return Math.max(1, 2)
  },
  left: () => {
    const fresh: { readonly left?: unknown } = {}
    return [fresh.left ?? null, Math.max(1, 2), fresh.valueOf() === fresh]
  },
  damage: (value) => {
    isWhole = false
    return value
  },
  damageAndRefuse: () => {
    isWhole = false
    throw new ToolError('INVALID_ARGS', 'no such thing')
  },
  giveUp: () => {
    throw new ToolError('TOOL_ERROR', 'broke off')
  },
  exit: () => process.exit(3),
  environment: () => Object.keys(process.env),
  process: () => PROCESS,
  pid: () => process.pid,
  write: async () => (await import('node:fs')).writeFileSync('isolate-was-here', ''),
}

export default (input: unknown): unknown =>
  isRecord(input) ? deeds[String(input['do'])]?.(input['with']) : null
