import type { JsonObject } from 'echelon/runtime'
import type { QueuedIntent } from '../turn/dialogue.ts'
import type { SupportSettings } from '../turn/support-settings.ts'
import type { SupportState } from '../turn/support-state.ts'
import { clausesOf } from '../understand/clauses.ts'
import { correctedParams } from '../understand/read-wishes.ts'
import { resolutionIn } from './resolution.ts'
import { AMOUNT } from './resolve-order.ts'

/** The intents offered as a choice, with what the message already says of each. */
export function readChoices(
  settings: SupportSettings,
  state: SupportState,
  readings: readonly string[],
): readonly QueuedIntent[] {
  return readings.flatMap((intentId) => {
    const intent = settings.registry.find(intentId)
    if (intent === undefined) return []
    const part = { ...state, text: onlyOf(state.text) ?? state.text }
    const said = withoutSizes(correctedParams(part.text, intent), part.text)
    const { params, hints } = resolutionIn(part, intent, said)
    return [{ intentId, params, ...(Object.keys(hints).length > 0 && { hints }) }]
  })
}

/** The first clause, if it limits the wish to one thing: "only the plate". Later clauses tell of the others. */
export function onlyOf(text: string): string | null {
  const [said = ''] = clausesOf(text)
  return ONLY.test(said) ? said : null
}

const ONLY =
  /^\W*(?:(?:no|nope|ok|okay|oh|well|but|and|please|yes|hm+|it'?s|its|that'?s)[\s,]+)*(?:(?:only|just) (?:about |for |with )?(?:the|my)\b|(?:the|my) (?:\p{L}+ ){1,3}only\b|\p{L}+ only\W*$)/iu

/** "I took 42 but need 43": what is no sum of money where a problem is told, and a refund only offered. */
function withoutSizes(params: JsonObject, text: string): JsonObject {
  const { [AMOUNT]: amount, ...rest } = params
  return amount === undefined || OF_MONEY.test(text) ? params : rest
}

const OF_MONEY =
  /[$€£]|\d[.,]\d\d\b|\b(?:dollars?|bucks|usd|cents?|refund\p{L}*|money|back|pay|paid|price|costs?|cash|compensat\p{L}*|credit\p{L}*|off|for it)\b/iu
