import type { Api } from '../../core/model.ts'

/** An interface of OpenAI's, once it is settled which. */
export type SpokenApi = Exclude<Api, 'auto'>

/** Models that are sold today, cheapest families first; others are passed on as they are named. */
export const OPENAI_MODELS: readonly string[] = [
  'gpt-5-nano',
  'gpt-5-mini',
  'gpt-5',
  'gpt-5-pro',
  'gpt-5.1',
  'gpt-5.2',
  'gpt-5.2-pro',
  'gpt-5.4-nano',
  'gpt-5.4-mini',
  'gpt-5.4',
  'gpt-5.4-pro',
  'gpt-5.5',
  'gpt-5.6-luna',
  'gpt-5.6-terra',
  'gpt-5.6-sol',
  'gpt-6-luna',
  'gpt-6-sol',
  'gpt-6-astra',
  'gpt-4.1-nano',
  'gpt-4.1-mini',
  'gpt-4.1',
  'gpt-4o-mini',
  'gpt-4o',
  'o3-mini',
  'o4-mini',
  'o3',
  'gpt-3.5-turbo-instruct',
]

/** Models of plain text, tuned ones too, that no other interface takes. */
export const takesOnlyCompletions = (modelId: string): boolean =>
  /^(?:ft:)?(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002)(?![a-z\d])/.test(modelId)
