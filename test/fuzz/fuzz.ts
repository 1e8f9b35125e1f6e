import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import type { Reader } from '../readers/reader.ts'
import { textsLike } from './texts.ts'

/** Seconds for each reader; the long tests give a minute. */
const SECONDS = process.env['FUZZ_SECONDS']

/** Texts that `npm test` tries; fewer if they take longer than this. */
const FEW = { numRuns: 40, interruptAfterTimeLimit: 250 }

const EXTENT =
  SECONDS === undefined
    ? FEW
    : { numRuns: 10_000_000, interruptAfterTimeLimit: Number(SECONDS) * 1000 }

/** Collecting garbage takes longer than reading a few texts, so `npm test` measures once for all readers. */
const IS_EACH_MEASURED = SECONDS !== undefined

/** A second a megabyte, and what a single call may take on a machine that collects garbage meanwhile. */
const MS_A_MEGABYTE = 1000
const FLOOR_MS = 250

const MEGABYTE = 1024 * 1024
/** Maximum memory retained after all readings: caches of fixed size, compiled code. */
const MOST_LEFT = 64 * MEGABYTE

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Number of collections after which unused compiled expressions are freed. */
const MOST_COLLECTIONS = 8

/** Memory in use after a collection; repeats the collection until it is at most `enough`. */
function heapInUse(enough = Infinity): number {
  for (let time = 1; ; time++) {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
    const { heapUsed } = process.memoryUsage()
    if (heapUsed < enough || time === MOST_COLLECTIONS) return heapUsed
  }
}

/**
 * Feeds readers of a kind texts that nearly fit their formats, for `FUZZ_SECONDS`. A failure must be a
 * value or one of the project's own errors; a second per megabyte must suffice; and no memory may be
 * retained.
 */
export function fuzz(kind: string, readers: readonly Reader[]): void {
  suite(`texts that are almost ${kind}`, () => {
    let before: number | undefined
    for (const reader of readers) {
      test(reader.name, async (t) => {
        // Code that is loaded and compiled once stays, and is not counted.
        for (const text of fc.sample(textsLike(reader.samples), 10)) await tryOn(reader, text)
        if (IS_EACH_MEASURED || before === undefined) before = heapInUse()
        const { seed } = fc.readConfigureGlobal()
        t.diagnostic(`seed ${seed}, ${await readMany(reader)} texts`)
        if (IS_EACH_MEASURED) checkMemory(t, before)
      })
    }
    test('all of them leave nothing in memory', (t) => {
      if (before !== undefined) checkMemory(t, before)
    })
  })
}

/** @returns how many texts were read */
async function readMany(reader: Reader): Promise<number> {
  let count = 0
  await fc.assert(
    fc.asyncProperty(textsLike(reader.samples), async (text) => {
      count++
      await tryOn(reader, text)
    }),
    { ...EXTENT, markInterruptAsFailure: false },
  )
  return count
}

function checkMemory(t: TestContext, before: number): void {
  const left = heapInUse(before + MOST_LEFT) - before
  const shown = `${(left / MEGABYTE).toFixed(1)} MB`
  t.diagnostic(`${shown} left`)
  assert.ok(left < MOST_LEFT, `${shown} stay in memory`)
}

async function tryOn(reader: Reader, text: string): Promise<void> {
  const given = reader.within === undefined ? text : text.slice(0, reader.within.characters)
  const most = reader.within?.ms ?? FLOOR_MS + (given.length / MEGABYTE) * MS_A_MEGABYTE
  let taken = await timed(reader, given)
  // One-time costs (compilation, collection, other processes) do not repeat in a second measurement.
  if (taken > most) taken = Math.min(taken, await timed(reader, given))
  assert.ok(taken <= most, `it took ${taken.toFixed(0)} ms for ${given.length} characters`)
}

async function timed(reader: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await reader.read(text)
  } catch (error) {
    const isOurs = error instanceof EchelonError || error instanceof ToolError
    if (!isOurs && reader.isApart !== true) throw error
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
