import type {
  JournalPage,
  LedgerView,
  ModelCallList,
  PageQuery,
  StepList,
  StepStateView,
  StepView,
} from 'echelon/client'
import type { Observation } from 'echelon/runtime'
import { z } from 'zod'
import { count, json, object, time } from './schema-parts.ts'

/*
 * Schemas of the inside of a run, for the REST API and its OpenAPI document.
 */

const amounts = z.record(z.string(), z.number())
const seen: z.ZodType<Observation> = z
  .custom<Observation>()
  .meta({ type: 'object', description: 'An observation, as in events' })
const change = z.object({ op: z.enum(['add', 'remove', 'replace']), path: z.string() })

const EFFECTS = [
  'generate',
  'call-tools',
  'permit',
  'ask',
  'say',
  'recall',
  'remember',
  'sleep',
  'together',
  'heard',
  'canceled',
] as const

const stepView: z.ZodType<StepView> = z
  .object({
    path: z.string(),
    seq: count,
    effect: z.enum(EFFECTS).nullable(),
    actor: z.string().nullable(),
    targets: z.array(z.string()),
    role: z.string().nullable(),
    opened_at: time,
    closed_at: time.nullable(),
    seen: seen.nullable(),
    reserved: amounts,
    spent: amounts,
    notes: z.array(z.object({ stage: z.string(), data: object })),
    asked: z.array(
      z.object({
        id: z.string(),
        about: json,
        asked_at: time,
        reply: json,
        replied_by: z.string().nullable(),
      }),
    ),
    changed: z.array(change),
  })
  .meta({ id: 'Step' })

const unknown = z.string().nullable().meta({ description: 'Why the rest is unknown' })
const next = count.nullable().meta({ description: 'Pass it as after; null on the last page' })

export const stepListSchema: z.ZodType<StepList> = z
  .object({
    run: z.string(),
    models: z.record(z.string(), z.string()),
    steps: z.array(stepView),
    first: count,
    unknown,
    next,
  })
  .meta({ id: 'StepList' })

export const stepStateSchema: z.ZodType<StepStateView> = z
  .object({
    step: stepView,
    before: json,
    after: json,
    changes: z.array(change.extend({ value: json.optional() })),
    unknown,
  })
  .meta({ id: 'StepState' })

export const journalSchema: z.ZodType<JournalPage> = z
  .object({ run: z.string(), entries: z.array(z.object({ n: count, entry: object })), next })
  .meta({ id: 'JournalPage' })

export const modelCallsSchema: z.ZodType<ModelCallList> = z
  .object({
    run: z.string(),
    calls: z.array(
      z
        .object({
          path: z.string(),
          seq: count,
          role: z.string().nullable(),
          actor: z.string().nullable(),
          model: z.string(),
          closed_at: time.nullable(),
          prompt: z.array(z.object({ role: z.string(), content: json })).nullable(),
          is_filtered: z.boolean(),
          tools: z.array(z.string()),
          seen: seen.nullable(),
        })
        .meta({ id: 'ModelCall' }),
    ),
    unknown,
    next,
  })
  .meta({ id: 'ModelCallList' })

export const ledgerSchema: z.ZodType<LedgerView> = z
  .object({
    run: z.string(),
    limits: amounts,
    spent: amounts,
    reserved: amounts,
    left: amounts,
    models: z.array(
      z.object({
        role: z.string(),
        model: z.string().nullable(),
        calls: z.number(),
        input_tokens: z.number(),
        output_tokens: z.number(),
        cost: z.number(),
        unpriced: z.number(),
        assumed: z.number(),
      }),
    ),
    inherited: amounts,
  })
  .meta({ id: 'Ledger' })

export const pageQuery: z.ZodType<PageQuery> = z.strictObject({
  after: z.coerce.number().int().min(0).max(1e9).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
})
