import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { systemClock } from '../../packages/echelon/src/platform/clock.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import {
  type ServerAnswer,
  type ServerRequest,
  startModelServer,
} from '../../packages/echelon/src/testing/local-model-server.ts'
import { only, performing, world } from '../runtime/kit.ts'
import { ASKED, type Family } from './family.ts'
import { OPENAI_FAMILIES } from './openai-families.ts'
import { VENDOR_FAMILIES } from './vendor-families.ts'

/** Every family gets the same requests from the same runtime, through its real package and a real connection. */
const FAMILIES: readonly Family[] = [...OPENAI_FAMILIES, ...VENDOR_FAMILIES]

interface Seen {
  readonly seen: readonly Observation[]
  readonly events: readonly RunEvent[]
  readonly requests: readonly ServerRequest[]
  /** The text that the user sees in the end. */
  readonly visible: string
}

/** The real clock, with waits short enough for a test. */
const QUICK = { retries: 2, baseMs: 5, factor: 2, jitter: 0 }

async function asking(
  family: Family,
  script: readonly ServerAnswer[],
  ...effects: readonly Partial<Generate>[]
): Promise<Seen> {
  await using server = await startModelServer(script)
  const { services, events } = world({
    models: { small: await family.load(server) },
    retry: QUICK,
  })
  const asked = effects.length === 0 ? [ASKED] : effects.map((more) => ({ ...ASKED, ...more }))
  const run = startRun(performing(asked), null, { ...services, clock: systemClock })
  const { result } = await run.result
  server.assertComplete()
  let visible = ''
  for (const event of events) {
    if (event.type === 'text-delta') visible += event.delta
    if (event.type === 'text-drop') visible = ''
  }
  return { seen: result, events, requests: server.requests, visible }
}

const REPLY: ServerAnswer = {
  type: 'reply',
  text: ['{"answer":', '345}'],
  usage: { input: 12, output: 7, reasoning: 2 },
}
const SHOWN = { show: 'user' } as const

for (const family of FAMILIES) {
  const { name } = family

  test(`${name}: an answer and its whole request`, async () => {
    const { seen, requests, events } = await asking(family, [REPLY])
    const { path, body } = only(requests)
    assert.deepEqual({ path, body }, family.request)
    const answer = only(seen)
    assert.ok(answer.type === 'generated', JSON.stringify(answer))
    assert.deepEqual([answer.text, answer.finish], ['{"answer":345}', 'stop'])
    assert.deepEqual(answer.usage, { input: 12, output: 7 })
    assert.ok(answer.cost !== null && answer.cost > 0)
    assert.deepEqual(unsupported(events), family.unsupported)
  })

  test(`${name}: a stream and its whole request`, async () => {
    const { seen, requests, visible, events } = await asking(family, [REPLY], SHOWN)
    const { path, body } = only(requests)
    assert.deepEqual({ path, body }, family.streamRequest)
    const answer = only(seen)
    assert.ok(answer.type === 'generated', JSON.stringify(answer))
    assert.deepEqual([answer.text, visible], ['{"answer":345}', '{"answer":345}'])
    assert.deepEqual(answer.usage, { input: 12, output: 7 })
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
    assert.deepEqual(deltas, ['{"answer":', '345}'])
    assert.deepEqual(unsupported(events), family.unsupported)
  })

  test(`${name}: unsupported settings are warned about once, not on every call`, async () => {
    const { events } = await asking(family, [REPLY, REPLY, REPLY], {}, SHOWN, {})
    assert.deepEqual(unsupported(events), family.unsupported)
  })

  test(`${name}: an answer truncated at its limit, with or without text`, async () => {
    const cut = { type: 'reply', finishReason: 'length' } as const
    const { seen } = await asking(family, [{ ...cut, text: ['{"ans'] }, cut, cut], {}, {}, SHOWN)
    assert.deepEqual(
      seen.map((one) => one.type === 'generated' && [one.text, one.finish]),
      [
        ['{"ans', 'length'],
        ['', 'length'],
        ['', 'length'],
      ],
    )
  })

  test(`${name}: a refusal ends with the reason filter, streamed or not`, async () => {
    const refusal = { type: 'reply', refusal: 'I would rather not.' } as const
    const { seen } = await asking(family, [refusal, refusal], {}, SHOWN)
    for (const one of seen) {
      assert.ok(one.type === 'generated', JSON.stringify(one))
      assert.equal(one.finish, 'filter')
    }
  })

  test(`[R4.3] [R21.1] ${name}: a retry waits as long as the server asks`, async () => {
    const slowDown = { type: 'status', status: 429, headers: { 'retry-after': '0.05' } } as const
    const { seen, events } = await asking(family, [slowDown, REPLY])
    assert.equal(only(seen).type, 'generated')
    const waits = events.flatMap((event) => (event.type === 'retry-wait' ? [event] : []))
    const { problem, waitMs } = only(waits)
    assert.deepEqual([problem.code, waitMs], ['rate-limit', 50])
  })

  test(`[R13.2] [R21.1] ${name}: a failing server is called three times`, async () => {
    const failed = { type: 'status', status: 500 } as const
    const { seen } = await asking(family, [failed, failed, failed])
    assertFailed(only(seen), 'unavailable', 3)
  })

  test(`[DD-12] ${name}: no quota, or a prompt that is too long, is final`, async () => {
    const quota = await asking(family, [family.outOfQuota])
    assertFailed(only(quota.seen), 'quota', 1)
    const tooLong = await asking(family, [family.tooLong])
    assertFailed(only(tooLong.seen), 'context-length', 1)
  })

  test(`[C-21] ${name}: an incomplete or empty answer is requested again`, async () => {
    for (const type of ['reset', 'malformed', 'error'] as const) {
      const { seen } = await asking(family, [{ type }, REPLY])
      assertAnswered(only(seen), type)
    }
  })

  test(`[C-21] ${name}: a broken stream is requested again, but not after its first visible part`, async () => {
    for (const type of ['reset', 'end', 'malformed', 'error'] as const) {
      const before = await asking(family, [{ type, after: [] }, REPLY], SHOWN)
      assertAnswered(only(before.seen), `${type} before any text`)
      assert.equal(before.visible, '{"answer":345}')
      const after = await asking(family, [{ type, after: ['{"answer":', '9'] }], SHOWN)
      assertFailed(only(after.seen), 'unavailable', 1)
      assert.equal(after.visible, '')
    }
  })

  test(`${name}: a silent server is abandoned in time`, async () => {
    const silence = { type: 'silence' } as const
    const limited = { ...SHOWN, timeoutMs: 80 }
    const whole = await asking(family, [silence, silence, silence], limited)
    assertFailed(only(whole.seen), 'timeout', 3)
    // Long enough for the first part to arrive on a busy machine: an attempt without one is repeated.
    const patient = { ...SHOWN, timeoutMs: 400 }
    const begun = await asking(family, [{ ...silence, after: ['{'] }], patient)
    assertFailed(only(begun.seen), 'timeout', 1)
    assert.equal(begun.visible, '')
  })
}

/** Requested settings that the model does not support, in the order of the warnings. */
const unsupported = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'model-warning' ? [event.message.replace(/:.*/s, '')] : [],
  )

function assertFailed(seen: Observation, code: string, attempts: number): void {
  assert.ok(seen.type === 'failed', JSON.stringify(seen))
  assert.deepEqual([seen.error.code, seen.error.attempts], [code, attempts], seen.error.message)
}

function assertAnswered(seen: Observation, after: string): void {
  assert.ok(seen.type === 'generated', `${after}: ${JSON.stringify(seen)}`)
  assert.equal(seen.text, '{"answer":345}')
}
