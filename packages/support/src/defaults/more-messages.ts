import { EchelonError } from 'echelon/internal/value'
import type { Ambiguous, IntentsConfig, Topic } from '../intents-registry.ts'
import { type FollowUp, FOLLOW_UPS } from '../understand/afterwards/kinds.ts'
import { type LabeledLine, labeledLines } from './labeled-lines.ts'
import { replyLabel } from '../understand/replies/kinds.ts'

/** Between the intents of a label for which several are offered. */
const OR = '|'
const OF_DOCUMENTS = '?'
const OF_FOLLOW_UPS = 'follow_up:'
const OF_REPLIES = 'reply:'

/** Limits of a file: more would take minutes to learn. */
const MOST_MESSAGES = 50_000
const MOST_CHARACTERS = 500
const MOST_PROBLEMS = 10

/**
 * Adds the messages of a text to the examples of a file of intents. Each line is a label, a tab, and a message as a
 * customer wrote it. The label is the id of an intent, several ids with `|` between them, `?` and the place of a
 * section in the documents, `beyond`, `idle`, `out_of_scope`, `follow_up:` and its kind, or `reply:`, its kind, and what it
 * replies to, such as `reply:yes@refund`. Lines that begin with `#` are comments.
 *
 * @param name of the file, for error messages
 * @throws EchelonError INVALID_CONFIG with one line per error
 */
export function withMessages(config: IntentsConfig, text: string, name: string): IntentsConfig {
  const lines = labeledLines(text)
  const byLabel = Map.groupBy(lines, ({ label }) => label)
  const problems = [
    ...lines.flatMap((line) => problemOf(line)),
    ...[...byLabel].flatMap(([label, [first]]) =>
      first === undefined || problemOf(first).length > 0 || isKnown(label, config)
        ? []
        : [`${first.number}: ${label} is no label; write the id of an intent, or one of ${OTHERS}`],
    ),
    ...(lines.length > MOST_MESSAGES ? [`1: at most ${MOST_MESSAGES} messages are read`] : []),
  ]
  if (problems.length > 0) {
    const said = problems.slice(0, MOST_PROBLEMS).map((problem) => `${name}:${problem}`)
    throw new EchelonError('INVALID_CONFIG', said.join('\n'))
  }
  return joined(config, (label) => (byLabel.get(label) ?? []).map(({ text: said }) => said), [
    ...byLabel.keys(),
  ])
}

const OTHERS = '?section, beyond, idle, out_of_scope, follow_up:kind, reply:kind@subject'

function problemOf({ number, label, text }: LabeledLine): readonly string[] {
  if (label === '' || text === '') return [`${number}: write a label, a tab and a message`]
  if (text.length <= MOST_CHARACTERS) return []
  return [`${number}: a message has at most ${MOST_CHARACTERS} characters`]
}

function isKnown(label: string, { intents }: IntentsConfig): boolean {
  if (label === 'beyond' || label === 'idle' || label === 'out_of_scope') return true
  if (label.startsWith(OF_DOCUMENTS)) return label.length > OF_DOCUMENTS.length
  if (label.startsWith(OF_FOLLOW_UPS)) return followUpOf(label) !== undefined
  if (label.startsWith(OF_REPLIES)) return replyOfLabel(label) !== null
  return label.split(OR).every((id) => intents.some((intent) => intent.id === id))
}

const followUpOf = (label: string): FollowUp | undefined =>
  FOLLOW_UPS.find((kind) => `${OF_FOLLOW_UPS}${kind}` === label)

const replyOfLabel = (label: string) =>
  label.startsWith(OF_REPLIES) ? replyLabel(label.slice(OF_REPLIES.length)) : null

function joined(
  config: IntentsConfig,
  of: (label: string) => readonly string[],
  labels: readonly string[],
): IntentsConfig {
  const topics = config.topics ?? []
  const isTopic = (label: string): boolean => topics.some((topic) => label === labelOf(topic))
  const replies = labels.flatMap((label) => {
    const reply = replyOfLabel(label)
    return reply === null ? [] : of(label).map((text) => ({ ...reply, text }))
  })
  const questions = labels.filter((label) => label.startsWith(OF_DOCUMENTS) && !isTopic(label))
  return {
    ...config,
    intents: config.intents.map((intent) => ({
      ...intent,
      messages: [...(intent.messages ?? []), ...of(intent.id)],
    })),
    ambiguous: ambiguousWith(config.ambiguous ?? [], of, labels),
    topics: topics.map((topic) => ({
      ...topic,
      examples: [...topic.examples, ...of(labelOf(topic))],
    })),
    questions: [...(config.questions ?? []), ...questions.flatMap(of)],
    beyond: [...(config.beyond ?? []), ...of('beyond')],
    idle: [...(config.idle ?? []), ...of('idle')],
    outOfScope: [...(config.outOfScope ?? []), ...of('out_of_scope')],
    ...(replies.length > 0 && { replies: [...(config.replies ?? []), ...replies] }),
    followUps: Object.fromEntries(
      FOLLOW_UPS.flatMap((kind) => {
        const examples = [...(config.followUps?.[kind] ?? []), ...of(`${OF_FOLLOW_UPS}${kind}`)]
        return examples.length === 0 ? [] : [[kind, examples]]
      }),
    ),
  }
}

const labelOf = ({ ask }: Topic): string => `${OF_DOCUMENTS}${ask}`

function ambiguousWith(
  known: readonly Ambiguous[],
  of: (label: string) => readonly string[],
  labels: readonly string[],
): readonly Ambiguous[] {
  const own = known.map(({ offer }) => offer.join(OR))
  const more = labels.filter((label) => label.includes(OR) && !own.includes(label))
  return [
    ...known.map((one) => ({ ...one, examples: [...one.examples, ...of(one.offer.join(OR))] })),
    ...more
      .filter((label) => !label.startsWith(OF_DOCUMENTS))
      .map((label) => ({ offer: label.split(OR), examples: of(label) })),
  ]
}
