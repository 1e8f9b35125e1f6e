import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { SURE } from '../../understand/lesson.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import { missingParams } from '../planning/planner.ts'
import { isReading } from '../reading/reads-only.ts'
import type { SupportSettings } from '../support-settings.ts'

/**
 * What is answered or offered of a message while a person has the conversation and has not answered yet: a wish, or a
 * plain question. `null` for what is left to the person.
 */
export function meantMeanwhile(
  settings: SupportSettings,
  text: string,
  confidence: number,
  commands: readonly TaskCommand[],
): readonly TaskCommand[] | null {
  const isSure = confidence >= SURE
  // "Somebody has used my account" asks for nobody.
  const isReport =
    !asksAnywhere(text) && isSure && commands.every((one) => tellsRules(settings, one))
  if (!isReport && ASKS_FOR_PERSON.test(text)) return null
  const isWish = commands.some(
    (one) => one.type === 'start-task' && settings.registry.find(one.intentId)?.confirm === true,
  )
  // What the rules allow is done as ever, after a yes; the conversation stays with the colleague.
  if (isWish && isSure) return commands
  // "While I wait: where is it?" asks behind the colon.
  if (!isReport && !text.split(/[:\u2013\u2014-]\s+/u).some(asksAnywhere)) return null
  if (commands.length === 0 || !commands.every((one) => isPlain(settings, one))) return null
  return commands.map((one): TaskCommand =>
    one.type === 'ask-knowledge' ? { type: 'ask-knowledge', question: one.question } : one,
  )
}

/** Whether it is answered by an order that is known, or by the documents. */
function isPlain(settings: SupportSettings, command: TaskCommand): boolean {
  if (command.type === 'start-task') {
    const { intentId, params, hints } = command
    const intent = settings.registry.find(intentId)
    const isKnown = intent !== undefined && missingParams(intent, params).length === 0
    return isReading(settings, intentId) && isKnown && hints === undefined
  }
  return isAnswered(settings, command)
}

const isAnswered = ({ knowledge }: SupportSettings, command: TaskCommand): boolean =>
  command.type === 'ask-knowledge' &&
  command.isBeyond !== true &&
  knowledge(command.question) !== null

/** Whether documents answer it, in a section on anything but how a person is reached. */
const tellsRules = (settings: SupportSettings, command: TaskCommand): boolean =>
  command.type === 'ask-knowledge' &&
  isAnswered(settings, command) &&
  settings.knowledge(command.question)?.source.startsWith(SECTIONS.reachingUs) === false

/** Questions about the person are answered with who has the conversation. */
const ASKS_FOR_PERSON =
  /\b(?:colleagues?|persons?|humans?|some(?:one|body)|any(?:one|body)|they|them there|you (?:there|guys)|agents?|answer|reply|respond|ticket|(?:how long|when) (?:does|will|is|do) (?:that|this|it)|how long (?:that|this|it)(?:'ll| will| might)? takes?)\b/iu
