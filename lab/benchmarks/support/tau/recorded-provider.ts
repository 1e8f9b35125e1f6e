import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  PromptMessage,
} from '../../../../packages/support/src/primitives/llm-provider.ts'
import type { ToolCall } from '../../../../packages/support/src/plan.ts'
import { toPlainObject } from './plain-json.ts'
import { type Exchange, isCall } from './recorded-run.ts'

/** Answer if the record ends with a call, and so without one. */
const NO_ANSWER = 'The record ends here.'

/**
 * A model that repeats the recorded answers for one message of a customer. It has no state: the number
 * of results in the prompt determines the next turn, so a process restarted midway gets the right one.
 */
export class RecordedProvider implements LLMProvider {
  readonly #intentId: string
  readonly #exchange: Exchange

  constructor(intentId: string, exchange: Exchange) {
    this.#intentId = intentId
    this.#exchange = exchange
  }

  async generate(
    messages: readonly PromptMessage[],
    { responseFormat, tools }: GenerateOptions = {},
  ): Promise<LLMResponse> {
    if (responseFormat !== undefined) return answer(JSON.stringify(this.#reading()))
    const results = messages.filter(({ role }) => role === 'tool').length
    const turn = tools === undefined ? undefined : this.#exchange.turns[results]
    if (turn === undefined) return answer(NO_ANSWER)
    if (!isCall(turn)) return answer(turn.text)
    const call: ToolCall = { toolName: turn.call.name, params: toPlainObject(turn.call.args) }
    return { ...answer(null), toolCalls: [call] }
  }

  getCost(): number {
    return 0
  }

  #reading(): object {
    return {
      intent_id: this.#intentId,
      extracted_params: {},
      missing_params: [],
      confidence: 1,
      act: 'wish',
      further_intents: [],
    }
  }
}

const answer = (content: string | null): LLMResponse => ({
  content,
  toolCalls: [],
  model: 'recorded',
  tokensUsed: 0,
  latencyMs: 0,
})
