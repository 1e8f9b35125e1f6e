import { readLine, shapeOf, type Step } from './state-shape.ts'
import type { StateSlot } from './state.ts'

/** The committed record of a state, which shows when its shape changes. */
export interface StateFingerprint {
  readonly version: number
  /** In the form of `shapeOf`. */
  readonly shape: readonly string[]
}

/** By the key of the state. */
export type StateFingerprints = Readonly<Record<string, StateFingerprint>>

/** The record to commit for a pipeline's states, ordered by key. */
export const fingerprintsOf = (slots: readonly StateSlot[]): StateFingerprints =>
  Object.fromEntries(
    slots
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, version, jsonSchema }) => [key, { version, shape: shapeOf(jsonSchema) }]),
  )

/**
 * Finds states that changed shape without a new version, compared with the committed record, so that
 * stored states may fail to load: one sentence for each, with what to do. An added optional field is
 * compatible; a new form of a union is not, because older code cannot read it.
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
      `the state of ${key} has another shape but still version ${version}: ${broken.join('; ')}; raise its version to ${version + 1} and add migrate[${version}]`,
    ]
  })
}

interface Line {
  readonly line: string
  readonly steps: readonly Step[]
  /** The path without the marks of optional fields. */
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

/** The path of each value, and the paths of its containers. */
const waysOf = (lines: readonly Line[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ steps }) =>
      [...steps.keys(), steps.length].map((n) => pathOf(steps.slice(0, n))),
    ),
  )
