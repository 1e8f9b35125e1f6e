import type { z as Zod } from 'zod'
import { ALTITUDES } from '../plan/plan.ts'
import { patternProblem } from '../sense/pattern-problem.ts'

/** The files of a memory folder, by memory name. */
export const MEMORY_NAMES = ['intent', 'plans', 'evaluations'] as const
export type MemoryName = (typeof MEMORY_NAMES)[number]

const MOST = { text: 2_000, list: 60, kept: 2_000 }

/** The exact content that each file may have. */
export function memorySchemas(z: typeof Zod): Readonly<Record<MemoryName, Zod.ZodType>> {
  const text = z.string().trim().min(1, 'write something, or take it out').max(MOST.text)
  const texts = z.array(text).max(MOST.list)
  const time = z.iso.datetime({ error: 'write a moment as 2026-01-31T12:00:00Z' })
  const plan = z.strictObject({
    approach: text,
    altitude: z.enum(ALTITUDES),
    constraints: texts,
    focus: texts,
  })
  const pattern = z.string().superRefine((source, check) => {
    const problem = patternProblem(source)
    if (problem !== null) check.addIssue({ code: 'custom', message: problem })
  })
  return {
    intent: z
      .strictObject({
        north_stars: texts,
        current_success: text,
        non_goals: texts,
        stop_conditions: texts,
        authority_rules: texts,
        patterns: z.record(z.string(), z.array(pattern).max(MOST.list)).optional(),
      })
      .superRefine(({ non_goals, stop_conditions, patterns = {} }, check) => {
        const known = [...non_goals, ...stop_conditions]
        for (const name of Object.keys(patterns).filter((one) => !known.includes(one))) {
          const message = `${name} is neither a non-goal nor a stop condition; add it to one of them`
          check.addIssue({ code: 'custom', path: ['patterns', name], message })
        }
      }),
    plans: z.strictObject({
      current_plan: plan,
      revision_history: z
        .array(z.strictObject({ timestamp: time, plan, reason: text }))
        .max(MOST.kept),
    }),
    evaluations: z.strictObject({
      recent_evaluations: z
        .array(
          z.strictObject({
            timestamp: time,
            outcome: text,
            matched_intent: z.boolean(),
            revision_triggered: z.boolean(),
            target: z.enum(['planner', 'intent']),
          }),
        )
        .max(MOST.kept),
      patterns: z.strictObject({ repeated_failures: texts, successful_approaches: texts }),
    }),
  }
}
