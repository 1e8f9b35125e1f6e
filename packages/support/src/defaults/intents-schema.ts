import type { z as Zod } from 'zod'
import type { Ambiguous, Topic } from '../intents-registry.ts'
import type { Answer, AskedWording } from '../intent.ts'
import { FOLLOW_UPS, type FollowUpExamples } from '../understand/afterwards/kinds.ts'
import { FACETS } from '../understand/facets.ts'

/** Longer texts are not examples of what a customer says. */
const MOST_EXAMPLE = 500

/** The file with its defaults filled in. */
export interface IntentsFile {
  readonly tiers: readonly string[]
  /** Files of further examples, relative to this one. */
  readonly messages?: readonly string[] | undefined
  readonly redaction: { readonly params: readonly string[] }
  readonly intents: readonly IntentEntry[]
  readonly questions?: readonly string[] | undefined
  readonly ambiguous?: readonly Ambiguous[] | undefined
  readonly topics?: readonly Topic[] | undefined
  readonly beyond?: readonly string[] | undefined
  readonly idle?: readonly string[] | undefined
  readonly follow_ups?: FollowUpExamples | undefined
  readonly out_of_scope: readonly string[]
}

export interface IntentEntry {
  readonly id: string
  readonly description: string
  readonly name?: string | undefined
  readonly restores?: string | null | undefined
  readonly while?: readonly string[] | undefined
  readonly of_field?: string | undefined
  readonly without_order?: 'documents' | undefined
  readonly required_params: readonly string[]
  readonly optional_params: readonly string[]
  readonly tool: string
  readonly tools: readonly string[]
  readonly confirm: boolean
  readonly constraints: {
    readonly channels: readonly string[]
    readonly rollout: number
    readonly min_tier: string | null
  }
  readonly params: Readonly<Record<string, ParamEntry>>
  readonly wording: WordingEntry
  readonly examples: readonly string[]
}

export interface ParamEntry {
  readonly label?: string | undefined
  readonly pattern?: string | null | undefined
  readonly form: 'as-said' | 'upper' | 'lower'
  readonly ask?: string | undefined
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly whole_answer: boolean
}

export interface WordingEntry {
  readonly pre?: string | undefined
  readonly post?: string | undefined
  readonly post_by_status: Readonly<Record<string, string>>
  readonly post_by_asked?: AskedWording | undefined
  readonly post_without?: Answer | undefined
  readonly would?: string | undefined
  readonly confirm?: string | undefined
  readonly undo?: string | undefined
  readonly would_too?: string | undefined
}

/**
 * The schema of an intents file, in the file's own names.
 * @param z the package, loaded only when a file is read
 */
export function intentsSchema(z: typeof Zod): Zod.ZodType<IntentsFile> {
  const name = z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'write a name of small letters, digits and _')
  const text = z.string().trim().min(1, 'write a text here, or leave the key out')
  const names = z.array(name).max(50)
  return z.strictObject({
    tiers: z.array(text).default([]),
    messages: z.array(text).max(20).optional(),
    redaction: z.strictObject({ params: names.default([]) }).prefault({}),
    intents: z.array(intentSchema(z, { name, text })).min(1, 'write at least one intent').max(500),
    ambiguous: z.array(ambiguousSchema(z)).max(50).optional(),
    topics: z.array(topicSchema(z)).max(50).optional(),
    questions: z.array(text.max(MOST_EXAMPLE)).max(2_000).optional(),
    beyond: z.array(text.max(MOST_EXAMPLE)).max(2_000).optional(),
    idle: z.array(text.max(MOST_EXAMPLE)).max(2_000).optional(),
    follow_ups: z
      .partialRecord(z.enum(FOLLOW_UPS), z.array(text.max(MOST_EXAMPLE)).max(2_000))
      .optional(),
    out_of_scope: z.array(text.max(MOST_EXAMPLE)).max(2_000).default([]),
  })
}

/** Messages that may mean one intent or another. */
const ambiguousSchema = (z: typeof Zod): Zod.ZodType<Ambiguous> =>
  z.strictObject({
    offer: z.array(z.string().min(1)).min(2).max(4),
    examples: z.array(z.string().trim().min(1).max(MOST_EXAMPLE)).max(2_000),
  })

/** Messages on one subject of the documents. */
const topicSchema = (z: typeof Zod): Zod.ZodType<Topic> =>
  z.strictObject({
    ask: z.string().trim().min(1).max(MOST_EXAMPLE),
    offer: z.array(z.string().min(1)).max(4).default([]),
    examples: z.array(z.string().trim().min(1).max(MOST_EXAMPLE)).max(2_000),
  })

interface Basics {
  readonly name: Zod.ZodString
  readonly text: Zod.ZodString
}

function wordingSchema(z: typeof Zod, { name, text }: Basics): Zod.ZodType<WordingEntry> {
  const answer = z.union([text, z.strictObject({ say: text, offer: name })])
  return z.strictObject({
    pre: text.optional(),
    post: text.optional(),
    post_by_status: z.record(z.string(), text).default({}),
    post_by_asked: z.partialRecord(z.enum(FACETS), z.record(z.string(), answer)).optional(),
    post_without: answer.optional(),
    would: text.optional(),
    confirm: text.optional(),
    undo: text.optional(),
    would_too: text.optional(),
  })
}

function intentSchema(z: typeof Zod, { name, text }: Basics): Zod.ZodType<IntentEntry> {
  const names = z.array(name).max(50)
  const param = z.strictObject({
    label: text.optional(),
    pattern: text.nullish(),
    form: z.enum(['as-said', 'upper', 'lower']).default('as-said'),
    ask: text.optional(),
    values: z.record(z.string(), z.array(text).max(100)).default({}),
    whole_answer: z.boolean().default(false),
  })
  const constraints = z.strictObject({
    channels: z.array(text).default([]),
    rollout: z
      .int('rollout is whole percent: write 0 to 100')
      .min(0, 'rollout is percent of customers: write 0 to 100')
      .max(100, 'rollout is percent of customers: write 0 to 100')
      .default(100),
    min_tier: z.string().nullable().default(null),
  })
  return z.strictObject({
    id: name,
    description: text,
    name: text.optional(),
    restores: name.nullish(),
    while: z.array(text).max(50).optional(),
    of_field: name.optional(),
    without_order: z.literal('documents').optional(),
    required_params: names.default([]),
    optional_params: names.default([]),
    tool: text,
    tools: z.array(text).default([]),
    confirm: z.boolean().default(false),
    constraints: constraints.prefault({}),
    params: z.record(name, param).default({}),
    wording: wordingSchema(z, { name, text }).prefault({ post_by_status: {} }),
    examples: z
      .array(text.max(MOST_EXAMPLE, `an example has at most ${MOST_EXAMPLE} characters`))
      .max(2_000)
      .default([]),
  })
}
