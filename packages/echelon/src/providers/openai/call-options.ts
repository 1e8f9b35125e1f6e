import type {
  LanguageModelV4CallOptions,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { ProviderSettings } from '../../core/model/model.ts'
import type { AdaptedCall } from '../vendor/adapted-model.ts'
import type { SpokenApi } from './models.ts'
import { effortFor, isLeastEffort, reasons } from './reasoning.ts'
import { sentWhole } from './sent-whole.ts'
import { isStrict } from './strict-schema.ts'

/** The call options for a model of OpenAI, by interface. */
export function callOptions(
  api: SpokenApi,
  modelId: string,
  settings: ProviderSettings,
): (options: LanguageModelV4CallOptions) => AdaptedCall {
  if (api === 'completions') {
    return (options) => ({ options: { stopSequences: ['\n\n'], ...options } })
  }
  const { reasoning: wanted = 'provider-default', store = false } = settings
  const effort = effortFor(modelId, wanted)
  return (asked) => {
    const given = store && api === 'responses' ? sentWhole(asked) : asked
    const { options, warnings } = api === 'chat' ? withoutStop(given, modelId) : { options: given }
    return {
      options: {
        ...(effort === undefined ? {} : { reasoning: effort }),
        ...options,
        ...(options.tools === undefined ? {} : { tools: options.tools.map(strictWhereComplete) }),
        providerOptions: providerOptions(options, {
          store,
          // Otherwise the SDK requests a reasoning summary whenever an effort is set.
          ...(api === 'responses' ? { reasoningSummary: null } : {}),
        }),
      },
      ...(warnings === undefined ? {} : { warnings }),
      ...(wanted === 'least' ? { isExpected: isLeastEffort } : {}),
    }
  }
}

/** The SDK removes the other options that reasoning models reject. */
function withoutStop(
  given: LanguageModelV4CallOptions,
  modelId: string,
): {
  readonly options: LanguageModelV4CallOptions
  readonly warnings?: readonly SharedV4Warning[]
} {
  const { stopSequences, ...options } = given
  if (stopSequences === undefined || !reasons(modelId)) return { options: given }
  const details = 'stopSequences is not supported for reasoning models'
  return { options, warnings: [{ type: 'unsupported', feature: 'stopSequences', details }] }
}

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number]

/** Always set: the responses interface treats a tool without the flag as strict. */
const strictWhereComplete = (tool: Tool): Tool =>
  tool.type === 'function' ? { strict: isStrict(tool.inputSchema), ...tool } : tool

function providerOptions(
  { responseFormat, providerOptions = {} }: LanguageModelV4CallOptions,
  defaults: SharedV4ProviderOptions[string],
): SharedV4ProviderOptions {
  const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  return {
    ...providerOptions,
    openai: {
      ...defaults,
      ...(schema === undefined ? {} : { strictJsonSchema: isStrict(schema) }),
      ...providerOptions['openai'],
    },
  }
}
