import { type Cue, NOTHING, quoted, rounded, surer, weigh, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

const ANALYSE =
  '(?:analy[sz]e|analy[sz]ing|examine|examining|explore|exploring|study|studying|evaluate|investigate|assess|unpack|dissect)'

const words = (source: string): RegExp => new RegExp(source, 'iu')

const CUES: readonly Cue[] = [
  [
    words(
      `\\b(?:many|several|countless|numerous|various|\\w+teen|twelve|ten|\\d{1,3}) (?:more )?(?:factors|perspectives|aspects|angles|dimensions|layers|considerations|lenses)\\b`,
    ),
    0.3,
  ],
  [
    words(
      `\\b(?:another|further|yet another|deeper|different) (?:dimension|angle|layer|level|perspective|lens)\\b|\\blevel deeper\\b`,
    ),
    0.35,
  ],
  [words(`\\b(?:dig|go|dive|look) (?:\\w+ )?(?:\\w+ )?deeper\\b`), 0.3],
  [
    words(
      `\\bbefore (?:we|you|any|i|moving|deciding|one)\\b.*\\b(?:say|decide|decision|talk|begin|conclu|considered|on|anything|start)`,
    ),
    0.3,
  ],
  [words(`\\bonly then\\b`), 0.35],
  [
    words(
      `\\b(?:further|more|deeper|additional|own|comprehensive|thorough|full|careful) (?:analys[ie]s|research|study|questions|data|information|investigation)\\b`,
    ),
    0.3,
  ],
  [
    words(
      `\\b(?:much|lot|so much) (?:more )?(?:to )?(?:unpack|analy[sz]e|explore|consider|examine)\\b|\\bscratched the surface\\b`,
    ),
    0.45,
  ],
  [
    words(
      `\\b(?:all|every) (?:\\w+ )?(?:scenarios?|options?|assumptions?|implications|of them|factors|possibilit(?:y|ies))\\b`,
    ),
    0.25,
  ],
  [
    words(
      `\\bin (?:great |full |more )?(?:detail|depth)\\b|\\bthorough(?:ly)?\\b|\\bcareful study\\b`,
    ),
    0.3,
  ],
  [words(`\\bon (?:the )?(?:one|the one) (?:hand|side)\\b.*\\bon the other\\b`), 0.35],
  [words(`\\bit (?:all )?depends on (?:many|several|so many|a lot)`), 0.35],
  [
    words(
      `\\bthen again\\b|\\bone could argue\\b|\\bcould go either way\\b|\\bhard to say\\b|\\bit is complicated\\b|\\bit's complicated\\b`,
    ),
    0.3,
  ],
  [
    words(
      `\\b(?:let's|let us|we should|we need to|we must|we could|continue|keep) (?:\\w+ ){0,2}${ANALYSE}\\b|\\bthink about it some more\\b`,
    ),
    0.3,
  ],
  [
    words(
      `\\b(?:swot|decision matrix|risk register|scenario tree|cost-benefit analysis|pros and cons list)\\b`,
    ),
    0.4,
  ],
  [words(`\\band so on\\b|\\buntil every\\b`), 0.35],
  [words(`\\bbreak (?:it|this|that) down into\\b`), 0.25],
  [
    words(
      `\\b(?:we|i) (?:do not|don't|would) (?:know|need) (?:enough|far more|much more|a lot more)\\b`,
    ),
    0.35,
  ],
]

/** The subject of an analysis, and the wish to continue it: each alone says little. */
const MATTER =
  /\b(?:considerations?|arguments?|questions?|assumptions?|outcomes?|angles?|factors?|aspects?|literature|surveys?|reviews?|models?|scenarios?|discount rates|look|view|variables?|interpretations?|hypothes[ie]s|frameworks?|definitions?|evidence)\b/giu
const ON_AND_ON =
  /\b(?:each|every(?: one)?|all|again|once more|further|one by one|behind those|against those|to the end|far from|too early|and so (?:forth|on)|later|long look|not (?:named|ready|yet)|new questions|first an?|different|under different|another|still|more and more|go through them|pursue|let me list)\b/giu

function weighOnAndOn(draft: string): Weighed {
  const matter = new Set((draft.match(MATTER) ?? []).map((word) => word.toLowerCase())).size
  const onAndOn = new Set((draft.match(ON_AND_ON) ?? []).map((word) => word.toLowerCase())).size
  const asked = draft.match(/\?/g)?.length ?? 0
  const weight = Math.min(2, matter) * 0.1 + onAndOn * 0.12 + Math.max(0, asked - 2) * 0.12
  if (matter === 0 || onAndOn < 2) return asked >= MANY_QUESTIONS ? questioned(asked) : NOTHING
  return {
    confidence: Math.min(0.9, rounded(weight)),
    evidence: quoted(sentencesOf(draft)[0] ?? ''),
  }
}

const MANY_QUESTIONS = 4

const questioned = (asked: number): Weighed => ({
  confidence: 0.6,
  evidence: `${asked} questions in one answer`,
})

const HEDGE = /\b(?:might|perhaps|maybe|could be|possibly|however|that also depends)\b/giu
const MANY_HEDGES = 3

/** Whether a draft keeps analyzing without reaching a conclusion. */
export function weighEndlessAnalysis(draft: string): Weighed {
  const pieces = sentencesOf(draft)
  // "On the one hand" and "on the other" may be separate sentences.
  const all = [...pieces, draft.replace(/\n+/g, ' ')]
  const { confidence, evidence } = surer(weigh(all, CUES), weighOnAndOn(draft))
  const hedges = draft.match(HEDGE) ?? []
  if (hedges.length < MANY_HEDGES) return { confidence, evidence }
  return {
    confidence: 1 - (1 - confidence) * 0.6,
    evidence: evidence === '' ? hedges.join(', ') : evidence,
  }
}
