import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { EchelonError } from '../core/value/error.ts'
import { isJson, isRecord, sameJson } from '../core/value/json.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import {
  fingerprintRefusals,
  fingerprintsOf,
  type StateFingerprint,
  type StateFingerprints,
} from '../core/state/state-fingerprint.ts'
import { readLine } from '../core/state/state-shape.ts'

/** Whether to check a file of shapes or update it. */
export interface CheckStateShapesOptions {
  /**
   * Updates the file if it is out of date. Default false. A shape that needs a new version is
   * refused even then.
   */
  readonly update?: boolean
}

/**
 * Compares the states of middlewares with a committed file of their shapes, so that a change that
 * stored states may not survive fails a test before it reaches a user. Call it in a test:
 * `checkStateShapes('state-shapes.json', [counter()], { update: process.env['UPDATE'] === '1' })`.
 * @param file where the shapes are committed; written on the first update
 * @throws EchelonError STATE_REFUSED for a changed shape without a new version, or a file that is
 * out of date; INVALID_INPUT for a file without shapes
 */
export function checkStateShapes(
  file: string,
  middlewares: readonly Middleware[],
  { update = false }: CheckStateShapesOptions = {},
): void {
  const slots = middlewares.flatMap(({ slot }) => slot ?? [])
  const committed = existsSync(file) ? read(file) : {}
  const refusals = fingerprintRefusals(committed, slots)
  if (refusals.length > 0) {
    throw new EchelonError('STATE_REFUSED', refusals.join('\n'), { details: { file } })
  }
  const now = fingerprintsOf(slots)
  if (sameJson(asJson(committed), asJson(now))) return
  if (update) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
  else throw behind(file, committed, now)
}

const asJson = (fingerprints: StateFingerprints) =>
  Object.fromEntries(
    Object.entries(fingerprints).map(([key, { version, shape }]) => [key, { version, shape }]),
  )

function behind(file: string, before: StateFingerprints, now: StateFingerprints): EchelonError {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted()
  const changed = keys.filter((key) => !sameJson(asJson(before)[key], asJson(now)[key]))
  return new EchelonError(
    'STATE_REFUSED',
    `${file} is behind the states of ${changed.join(', ')}; run this once with update: true and commit the file`,
    { details: { file, states: changed } },
  )
}

function read(file: string): StateFingerprints {
  const found = parse(file)
  if (!isRecord(found)) throw noShapes(file)
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => {
      if (!isFingerprint(value)) throw noShapes(file)
      return [key, value]
    }),
  )
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw noShapes(file, cause)
  }
}

const isFingerprint = (value: unknown): value is StateFingerprint =>
  isRecord(value) &&
  Number.isInteger(value['version']) &&
  Array.isArray(value['shape']) &&
  value['shape'].every((line) => typeof line === 'string' && readLine(line) !== undefined) &&
  isJson(value)

const noShapes = (file: string, cause?: unknown): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${file} holds no shapes of states; restore it, or delete it and run this once with update: true`,
    { cause },
  )
