import { readLine, shapeOf, type Step } from './state-shape.ts'
import type { StateSlot } from './state.ts'

/** What is committed of a state, so that a change of its shape is noticed. */
export interface StateFingerprint {
  readonly version: number
  /** As `shapeOf` has it. */
  readonly shape: readonly string[]
}

/** By the key of the state. */
export type StateFingerprints = Readonly<Record<string, StateFingerprint>>

/** What is to be committed of the states of a pipeline, in the order of their keys. */
export const fingerprintsOf = (slots: readonly StateSlot[]): StateFingerprints =>
  Object.fromEntries(
    slots
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, version, jsonSchema }) => [key, { version, shape: shapeOf(jsonSchema) }]),
  )

/**
 * States whose shape has changed, against what is committed, in a way that stored states may not
 * survive, and whose version is the same: one sentence for each, with what to do. A field more that
 * may be absent is no such change; a union that gains a form is one, since older code cannot read it.
 */
export function fingerprintRefusals(
  committed: StateFingerprints,
  slots: readonly StateSlot[],
): readonly string[] {
  return slots.flatMap(({ key, version, jsonSchema }) => {
    const before = Object.hasOwn(committed, key) ? committed[key] : undefined
    if (before === undefined || version > before.version) return []
    if (version < before.version) {
      return [
        `the state of ${key} went back from version ${before.version} to ${version}; use a version above ${before.version}, since states of that version may be stored`,
      ]
    }
    const broken = breaksOf(before.shape, shapeOf(jsonSchema))
    if (broken.length === 0) return []
    return [
      `the state of ${key} has another shape and still version ${version}: ${broken.join('; ')}; raise its version to ${version + 1} and add migrate[${version}]`,
    ]
  })
}

interface Line {
  readonly line: string
  readonly steps: readonly Step[]
  /** The way without the marks of what may be absent. */
  readonly path: string
  readonly type: string
}

function breaksOf(before: readonly string[], now: readonly string[]): readonly string[] {
  const old = linesOf(before)
  const present = linesOf(now)
  return [...lostOrChanged(old, present), ...addedAndRequired(old, present)]
}

const linesOf = (shape: readonly string[]): readonly Line[] =>
  shape.flatMap((line) => {
    const read = readLine(line)
    return read === undefined ? [] : [{ ...read, line, path: pathOf(read.steps) }]
  })

const pathOf = (steps: readonly Step[]): string => steps.map(({ name }) => name).join('.')

function lostOrChanged(old: readonly Line[], present: readonly Line[]): readonly string[] {
  const now = new Map(present.map((line) => [line.path, line]))
  const ways = waysOf(present)
  return old.flatMap(({ path, line, type, steps }) => {
    const same = now.get(path)
    if (same === undefined) return type === 'object' && ways.has(path) ? [] : [`${line} is gone`]
    if (same.type !== type) return [`${line} is now ${same.line}`]
    const isStricter = steps.some(({ optional }, i) => optional && !same.steps[i]?.optional)
    return isStricter ? [`${line} must now be there`] : []
  })
}

function addedAndRequired(old: readonly Line[], present: readonly Line[]): readonly string[] {
  const known = waysOf(old)
  return present.flatMap(({ path, line, steps }) => {
    if (known.has(path)) return []
    const begins = steps.findIndex((_, i) => !known.has(pathOf(steps.slice(0, i + 1))))
    const mayBeAbsent = steps.slice(begins).some(({ optional }) => optional)
    return mayBeAbsent ? [] : [`${line} is new, and stored states lack it`]
  })
}

/** Each value's way, and the ways to what holds it. */
const waysOf = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ steps }) =>
      [...steps.keys(), steps.length].map((n) => pathOf(steps.slice(0, n))),
    ),
  )
