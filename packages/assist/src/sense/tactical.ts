import { NOTHING, quoted, rounded, type Weighed } from './cue.ts'
import { stemsOf } from './own-words.ts'
import { sentencesOf } from './readable.ts'

const ITEM = /(?:^|\n|\s)(?:\(?\d{1,2}[.)]|[-*•]|step \d+:?)\s+\S/giu

const ORDER =
  /^(?:first|next|then|after that|afterwards?|finally|begin (?:with|by)|start (?:with|by)|today:|tomorrow:|(?:mon|tues|wednes|thurs|fri|satur|sun)day:)|[,;:] (?:and )?(?:then|next|finally|after that)\b/iu

const DO =
  '(?:add|ask|attach|batch|begin|block|book|build|buy|call|change|check|choose|clean|click|close|commit|configure|confirm|cook|copy|create|delete|do|document|download|draft|drink|email|enable|enter|export|fill|finish|follow|get|go|import|install|launch|list|log|make|move|open|order|pack|paste|pay|pick|pin|plan|press|print|push|put|read|rehearse|renew|repeat|reply|restart|review|run|save|schedule|select|send|set|share|sign|start|submit|take|turn|type|update|use|vacuum|wait|wake|wash|write)'

const BEGINNING = new RegExp(
  `^(?:(?:\\(?\\d{1,2}[.)]|[-*•]|step \\d+:?|today:|tomorrow:|\\w+day:)\\s*)?(?:(?:first|next|then|now|finally|afterwards?|after that|also|please|and|you should|you can|simply|just)[,:]?\\s+)*${DO}\\b(?!\\s+(?:you|your (?:north|own)))`,
  'iu',
)

/** A word before one of these is an order, unless it begins a statement. */
const ORDERED =
  /^(?!(?:i|you|we|he|she|they|it|its|the|an?|this|that|these|those|there|here|what|which|who|how|why|where|when|if|whether|and|but|or|nor|so|yet|is|are|was|were|am|be|been|being|do|does|did|has|have|had|can|could|should|would|will|may|might|must|to|of|in|on|at|for|from|by|with|about|as|than|not|no|yes|both|either|neither|all|each|every|some|any|one|two|three|four|five|only|even|still|just|your|my|our|their|his|her|because|since|while|until|after|before|once|suppose|perhaps|maybe|then|now|nothing|nobody|something|good|more|most|less|cheaper|slower)\b)[a-z]{2,12} (?:(?:the|your|an?|one|two|three|four|\d+|it|them|out|off|all|every|each|up|in|by|with|for|two|deep|something|somebody|paragraph)\b|[a-z]+ (?:about|by|on|until|before|at)\b)/iu

const SCHEDULE =
  /(?:^|\s)(?:morning|noon|midday|afternoon|evening|tonight|today|tomorrow|(?:week|day|month) (?:one|two|\d+)|\w+day|subject line):/giu

const TOOL =
  /\b(?:calendar|spreadsheet|notion|excel|app|csv|settings|billing|npm|git|terminal|portal|form \w+|column|database|dashboard|timer|reminders?|notifications?|server|environment variable|index fund|brokerage|template|browser|hr|cv|=sum)\b/iu

const NAMED =
  /\b(?:to-?do list|action items?|check-?list|(?:quick|simple|easy) (?:tips|steps)|(?:here are|these) (?:\w+ )?(?:\w+ )?(?:tips|steps)|next steps?:|do this (?:today|now))/iu

/** Whether an answer gives steps when strategy was planned. */
export function weighTactical(draft: string): Weighed {
  const pieces = sentencesOf(draft.replace(/\s(?=(?:\(?\d{1,2}[.)]|step \d+:)\s)/giu, '\n'))
  const orders = pieces.flatMap((piece) => piece.split(/,\s+(?:and\s+)?|;\s+|:\s+|\s+and\s+/u))
  const doing = orders.filter((piece) => BEGINNING.test(piece) || ORDERED.test(piece)).length
  const items = (draft.match(ITEM) ?? []).length
  const ordered = pieces.filter((piece) => ORDER.test(piece)).length
  const scheduled = (draft.match(SCHEDULE) ?? []).length
  const tools = TOOL.test(draft)
  const named = NAMED.test(draft)
  const weight =
    Math.min(0.65, 0.18 * doing) +
    Math.min(0.4, 0.13 * items) +
    Math.min(0.3, 0.12 * ordered) +
    Math.min(0.6, 0.2 * scheduled) +
    (tools ? 0.15 : 0) +
    (named ? 0.3 : 0)
  if (weight < 0.3) return NOTHING
  const evidence = quoted(pieces.find((piece) => BEGINNING.test(piece)) ?? pieces[0] ?? '')
  return { confidence: rounded(Math.min(0.95, weight)), evidence }
}

/** Whether an answer names its purpose: a north star, the user's words, or a question to them. */
export function isTied(draft: string, northStars: readonly string[]): boolean {
  const said = new Set(stemsOf(draft))
  const named = northStars.some((star) => {
    const stems = stemsOf(star).filter((stem) => stem.length > 3)
    return stems.some((stem) => said.has(stem))
  })
  return (
    named ||
    /\b(?:you (?:said|wrote|told|named|want)|matters? (?:most )?to you|what for)\b/iu.test(draft)
  )
}
