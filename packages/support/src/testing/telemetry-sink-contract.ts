import assert from 'node:assert/strict'
import { STAGES, type TelemetryEvent, type TelemetrySink } from '../primitives/telemetry-sink.ts'
import { casesOf, notCopied } from 'echelon/internal/testing'
import type { ContractCase } from 'echelon/testing'

/** A sink, and access to the events that it has stored, in order. */
export interface TelemetrySinkTrial {
  readonly sink: TelemetrySink
  /** One text per event, which contains its stage and the text of its payload. */
  readonly kept: () => readonly string[] | Promise<readonly string[]>
  /** Makes the sink's target fail. Omit it if it cannot fail. */
  readonly obstruct?: () => void | Promise<void>
}

/**
 * Contract tests for every `TelemetrySink`: `for (const { name, holds } of telemetrySinkContract(open)) test(name,
 * holds)`.
 * @param open opens a sink without events
 */
export function telemetrySinkContract(
  open: () => TelemetrySinkTrial | Promise<TelemetrySinkTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('it has every stage, in the order in which it heard of them', async (trial) => {
      for (const event of EVENTS) trial.sink.record(event)
      const kept = await trial.kept()
      assert.equal(kept.length, EVENTS.length)
      for (const [nth, { stage, session_id }] of EVENTS.entries()) {
        const text = kept[nth] ?? ''
        assert.ok(text.includes(stage), `event ${nth} is not of the stage ${stage}`)
        assert.ok(text.includes(session_id), `event ${nth} has no session`)
        assert.ok(text.includes(`value-${nth}`), `event ${nth} has no payload`)
      }
    }),
    caseOf('it has an event as it was told, whatever becomes of it', async (trial) => {
      const payload = { intent_id: 'before' }
      const event = { ...eventOf('plan_created', 0), payload }
      trial.sink.record(event)
      payload.intent_id = 'after'
      const [kept = ''] = await trial.kept()
      assert.ok(kept.includes('before') && !kept.includes('after'), notCopied('record', 'payload'))
    }),
    caseOf('it never throws, not even when nothing can be kept', async (trial) => {
      await trial.obstruct?.()
      for (const event of EVENTS) trial.sink.record(event)
    }),
  ]
}

const eventOf = (stage: TelemetryEvent['stage'], nth: number): TelemetryEvent => ({
  timestamp: '2025-10-18T09:30:00.000Z',
  session_id: `session-${nth % 2}`,
  interaction_id: 'i1',
  stage,
  level: nth === 7 ? 'error' : 'info',
  payload: { value: `value-${nth}`, nested: { list: [1, null, 'ä'] } },
})

const EVENTS: readonly TelemetryEvent[] = STAGES.map(eventOf)
