import {
  EVALUATION_STATUSES,
  type EvaluationChanges,
  type EvaluationList,
  type EvaluationView,
  type TuneSetList,
  type TuneView,
} from 'echelon/client'
import { z } from 'zod'
import { count, idText, money, object, time } from './schema-parts.ts'

/*
 * Evaluations and recorded answers, as they are checked and as the OpenAPI document shows them.
 */

export const evaluationRequest: z.ZodType<{ readonly dataset: string }> = z
  .strictObject({ dataset: idText })
  .meta({ id: 'EvaluationRequest' })

export const evaluationView: z.ZodType<EvaluationView> = z
  .object({
    id: z.string(),
    dataset: z.string(),
    status: z.enum(EVALUATION_STATUSES),
    began_at: time,
    ended_at: time.nullable(),
    done: count,
    planned: count.nullable(),
    metrics: object.nullable(),
    gates: z.array(
      z.object({
        gate: z.string(),
        figure: z.number().nullable(),
        threshold: z.number(),
        passed: z.boolean(),
        verdict: z.enum(['PASS', 'FAIL', 'INCONCLUSIVE']),
        message: z.string(),
      }),
    ),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Evaluation' })

export const evaluationList: z.ZodType<EvaluationList> = z
  .object({ datasets: z.array(z.string()), evaluations: z.array(evaluationView) })
  .meta({ id: 'EvaluationList' })

const evaluatedCase = z
  .object({
    run: z.string(),
    success: z.boolean(),
    outcome: z.string(),
    checked: z.string(),
    right: z.boolean().nullable(),
    escalated: z.boolean(),
    cost: money,
    seconds: z.number(),
  })
  .meta({ id: 'EvaluatedCase' })

export const evaluationChanges: z.ZodType<EvaluationChanges> = z
  .object({
    before: z.string(),
    after: z.string(),
    cases: z.array(
      z.object({
        id: z.string(),
        question: z.string().nullable(),
        before: evaluatedCase.nullable(),
        after: evaluatedCase.nullable(),
      }),
    ),
    unchanged: count,
  })
  .meta({ id: 'EvaluationChanges' })

export const sinceQuery: z.ZodType<{ readonly since: string }> = z.strictObject({
  since: idText.meta({ description: 'The id of the earlier evaluation' }),
})

const figure = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

const models = z.array(z.string())
const threshold = z.number().nullable().meta({ description: 'null for a model alone' })

export const tuneSetList: z.ZodType<TuneSetList> = z
  .object({ sets: z.array(z.string()) })
  .meta({ id: 'TuneSetList' })

export const tuneView: z.ZodType<TuneView> = z
  .object({
    name: z.string(),
    tasks: z.object({ fit: count, test: count }),
    price: z.enum(['cost', 'asked_last']),
    ladders: z.array(
      z.object({
        models,
        points: z.array(
          z.object({
            threshold,
            accuracy: figure,
            cost: figure,
            escalated: z.number().nullable(),
            asked_last: z.number(),
            wrong_accepts: z.number().nullable(),
          }),
        ),
      }),
    ),
    frontier: z.array(z.object({ models, threshold, price: z.number(), accuracy: z.number() })),
    proposal: z.object({ models, threshold }).nullable(),
  })
  .meta({ id: 'Tune' })
