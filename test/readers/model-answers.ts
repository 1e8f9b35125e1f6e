import { z } from 'zod'
import { DEFAULT_INTENT } from '../../packages/assist/src/intent/intent.ts'
import { readJudgment } from '../../packages/assist/src/evaluation/judgment-wire.ts'
import { quotes } from '../../packages/assist/src/plan/kept-plans.ts'
import type { Outcome } from '../../packages/assist/src/evaluation/outcome.ts'
import { readPlan as readAssistPlan } from '../../packages/assist/src/plan/plan-wire.ts'
import { readReport } from '../../packages/assist/src/read-report.ts'
import { readDraft } from '../../packages/assist/src/sense/read-draft.ts'
import { outputFormat } from '../../packages/echelon/src/agents/chat/output/output-format.ts'
import { readPlan } from '../../packages/echelon/src/agents/decide/plan/plan.ts'
import { loadIntents } from '../../packages/support/src/defaults/intents-file.ts'
import { readClassification } from '../../packages/support/src/wording/read-classification.ts'
import { readFigures } from '../../packages/echelon/src/core/figures/read-figures.ts'
import { jsonIn } from '../../packages/echelon/src/core/model/json-in-text.ts'
import { answerKey } from '../../packages/echelon/src/middleware/experiment/vote.ts'
import { PartialOutput } from '../../packages/echelon/src/runtime/model/partial-output.ts'
import { toolInput } from '../../packages/echelon/src/runtime/tools/tool-input.ts'
import { json, type Reader } from './reader.ts'

const { config } = await loadIntents()

const outcomeOf = (draft: string): Outcome => ({
  plan: { approach: 'exploration', altitude: 'L3', constraints: [], focus: [] },
  report: { user_input: 'Should I move?', draft, earlier: [] },
})

const format = outputFormat(
  z.object({ city: z.string(), days: z.array(z.number()), more: z.string().optional() }),
)

const PLANS = [
  '[{"tool":"calculator","args":{"expr":"40*0.75*3"}}]',
  'First I multiply.\n```json\n{"actions":[{"tool":"data_fetch_stock","args":{"ticker":"AAPL","n":10}},{"tool":"numeric_analysis","args":{"series":"$1.series","op":"mean"}}]}\n```',
  '{"cannot":"no tool knows"}',
  '{"answer":"Paris"}',
]
const CLASSIFICATION = {
  intent_id: 'order_status',
  extracted_params: { order_id: 'O-12345' },
  missing_params: [],
  confidence: 0.9,
  act: 'wish',
  further_intents: [],
}
const JUDGMENT = {
  outcome: 'tactical_drift',
  matched_intent: false,
  violations: [{ what: 'tactical_drift', quote: 'pack the boxes' }],
  target: 'planner',
}
const DRAFTS = [
  'Moving is about your work and your family. Which of them counts more?',
  'Step 1: pack the boxes.\n2. Call 555-0100 by March 3, 2027.\n- You are so right! It costs $1,299.50.',
]

/** Readers of model answers. */
export const MODEL_ANSWERS: readonly Reader[] = [
  {
    name: 'JSON in a text',
    of: ['packages/echelon/src/core/model/json-in-text.ts'],
    read: jsonIn,
    samples: PLANS,
  },
  {
    name: 'the plan of the decision agent',
    of: ['packages/echelon/src/agents/decide/plan/plan.ts'],
    read: readPlan,
    samples: PLANS,
  },
  {
    name: 'the arguments of a tool call',
    of: ['packages/echelon/src/runtime/tools/tool-input.ts'],
    read: toolInput,
    samples: json({ a: 1, b: [2, '3'] }, {}),
  },
  {
    name: 'the classification of a message',
    of: ['packages/support/src/wording/read-classification.ts'],
    read: (text) => readClassification(text, config.intents),
    samples: [...json(CLASSIFICATION), `\`\`\`json\n${JSON.stringify(CLASSIFICATION)}\n\`\`\``],
  },
  {
    name: 'the plan of the assistant',
    of: ['packages/assist/src/plan/plan-wire.ts'],
    read: readAssistPlan,
    samples: json({
      approach: 'strategic_exploration',
      altitude: 'L3',
      constraints: ['no steps'],
      focus: ['what matters'],
      reason: 'the user asks what to do',
    }),
  },
  {
    name: 'the judgment of the assistant',
    of: ['packages/assist/src/evaluation/judgment-wire.ts'],
    read: (text) => readJudgment(text, DEFAULT_INTENT, outcomeOf(text)),
    samples: json(JUDGMENT),
  },
  {
    name: 'findings of the assistant about a draft of the same length',
    of: ['packages/assist/src/evaluation/judgment-wire.ts'],
    read: (text) =>
      readJudgment(
        JSON.stringify({
          ...JUDGMENT,
          violations: Array.from({ length: Math.ceil(text.length / 30) }, () => ({
            what: 'tactical_drift',
            quote: 'not in it',
          })),
        }),
        DEFAULT_INTENT,
        outcomeOf(text),
      ),
    samples: DRAFTS,
  },
  {
    name: 'the report of the assistant',
    of: ['packages/assist/src/read-report.ts'],
    read: (text) => readReport({ user_input: text, draft: text, earlier: [] }),
    samples: DRAFTS,
  },
  {
    name: 'a draft of the assistant',
    of: ['packages/assist/src/sense/'],
    read: (text) => {
      const { plan, report } = outcomeOf(text)
      return readDraft(text, { intent: DEFAULT_INTENT, plan, report })
    },
    samples: DRAFTS,
  },
  {
    name: 'what a plan quotes of a conversation',
    of: ['packages/assist/src/plan/kept-plans.ts'],
    read: (text) => [quotes('weigh the ways', text), quotes(text, text)],
    samples: DRAFTS,
  },
  {
    name: 'the figures of an answer',
    of: ['packages/echelon/src/core/figures/read-figures.ts'],
    read: readFigures,
    samples: DRAFTS,
  },
  {
    name: 'structured output',
    of: [
      'packages/echelon/src/agents/chat/output/output-format.ts',
      'packages/echelon/src/agents/chat/output/output-schema.ts',
    ],
    read: (text) => format.read(text),
    samples: json({ city: 'Paris', days: [1, 2, 3], more: null }),
  },
  {
    name: 'structured output as it comes',
    of: [
      'packages/echelon/src/core/model/partial-json.ts',
      'packages/echelon/src/runtime/model/partial-output.ts',
    ],
    read: (text) => {
      const output = new PartialOutput(() => undefined)
      for (let at = 0; at < text.length; at += 16) output.hear(text.slice(at, at + 16))
    },
    samples: json({ city: 'Pa\nris', days: [1, 2, 3], more: null }),
  },
  {
    name: 'an answer that is voted on',
    of: ['packages/echelon/src/middleware/experiment/vote.ts'],
    read: (text) =>
      answerKey(
        {
          type: 'generated',
          text,
          calls: [],
          finish: 'stop',
          model: 'a/b',
          usage: { input: 1, output: 1 },
          cost: 0,
        },
        { schema: {} },
      ),
    samples: json({ a: [1, 2, { b: null }] }),
  },
]
