import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { READERS } from './readers/all.ts'
import type { Reader } from './readers/reader.ts'
import { isChosen } from './share.ts'
import { ownShapes, SHAPES, type Shape } from './readers/shapes.ts'

/*
 * On a busy machine a reader may take ten times as long, but its time must not grow with a higher power
 * of the length. So the test measures this thread's processor time, which other processes do not add to,
 * and how it grows: four times the length may take eight times the time; quadratic time takes sixteen,
 * cubic time 64. Times below the floor are noise. A failed measurement is repeated.
 */
const SHORTEST = 512
const LONGEST = 32_768
/** `npm test` tries a share of the shapes with each reader, others with the next one; the long tests all. */
const ONE_IN = 150
const STEP = 4
const MOST_GROWTH = 8
const FLOOR_MS = 40
const TRIES = 4

async function timed(reader: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await reader.read(text)
  } catch {
    // An error takes time too.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const isTooMuch = (before: number, now: number): boolean => now > MOST_GROWTH * before + FLOOR_MS

/** @returns the problem with the growth of the time; undefined if it is linear */
async function problemOf(reader: Reader, shape: Shape, tries = TRIES): Promise<string | undefined> {
  if (reader.within !== undefined) return overTime(reader, shape, reader.within)
  let before = await timed(reader, shape.of(SHORTEST))
  for (let length = SHORTEST * STEP; length <= LONGEST; length *= STEP) {
    const text = shape.of(length)
    const shorter = shape.of(length / STEP)
    let now = await timed(reader, text)
    // Cubic growth is not measured four times.
    for (let tried = 1; tried < tries && isTooMuch(before, now) && now < 1000; tried++) {
      before = Math.max(before, await timed(reader, shorter))
      now = Math.min(now, await timed(reader, text))
    }
    if (isTooMuch(before, now)) {
      return `${shape.name}: ${before.toFixed(1)} ms for ${length / STEP} characters, ${now.toFixed(1)} ms for ${length}`
    }
    before = now
  }
  return undefined
}

async function overTime(
  reader: Reader,
  shape: Shape,
  { characters, ms }: NonNullable<Reader['within']>,
): Promise<string | undefined> {
  const taken = await timed(reader, shape.of(characters))
  return taken <= ms
    ? undefined
    : `${shape.name}: ${taken.toFixed(1)} ms for ${characters} characters`
}

suite('the time of a reader grows with the length of what it reads', () => {
  for (const [nth, reader] of READERS.entries()) {
    test(reader.name, async () => {
      const problems: string[] = []
      const shapes = SHAPES.filter((_, place) => isChosen(place + nth, ONE_IN))
      for (const shape of [...shapes, ...ownShapes(reader)]) {
        const problem = await problemOf(reader, shape)
        if (problem !== undefined) problems.push(problem)
      }
      assert.deepEqual(problems, [])
    })
  }

  test('fails for a reader that takes quadratic time', async () => {
    const square: Reader = {
      name: 'square',
      of: [],
      samples: [],
      read(text) {
        let same = 0
        for (let at = 0; at < 2 * text.length; at++) {
          for (let other = 0; other < 2 * text.length; other++) {
            if (text[at % text.length] === text[other % text.length]) same++
          }
        }
        return same
      },
    }
    const blanks = SHAPES.find(({ name }) => name === 'blanks before the end')
    assert.ok(blanks)
    assert.match((await problemOf(square, blanks, 1)) ?? '', /characters/)
  })
})
