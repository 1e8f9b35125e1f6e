import type { Api } from '../../core/model/model.ts'

/** An interface of OpenAI's, once it is settled which. */
export type SpokenApi = Exclude<Api, 'auto'>

/** Models of plain text, tuned ones too, that no other interface takes. */
export const takesOnlyCompletions = (modelId: string): boolean =>
  /^(?:ft:)?(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002)(?![a-z\d])/.test(modelId)
