import type { Api } from '../../core/model/model.ts'

/** A concrete OpenAI interface. */
export type SpokenApi = Exclude<Api, 'auto'>

/** Text completion models, including fine-tuned ones, that no other interface accepts. */
export const takesOnlyCompletions = (modelId: string): boolean =>
  /^(?:ft:)?(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002)(?![a-z\d])/.test(modelId)
