import {
  type RecordedModel,
  recordedModelWith,
  type RecordedModelOptions,
} from '../testing/recorded-model.ts'

/**
 * A model whose answers are recorded once and then replayed without key, network or cost. A call
 * that was not recorded, for example after a change of a prompt or tool, ends the run with
 * UNRECORDED_CALL, which shows the differences from the nearest one: `const model = await
 * recordedModel('chat.jsonl', { model: () => …, record: process.env['RECORD'] === '1' })`.
 * @param file with the answers; commit it. Text that looks like a secret is hidden in it
 * @throws EchelonError INVALID_INPUT for a file that does not exist or is not a recording of one
 * model
 */
export async function recordedModel(
  file: string,
  options: RecordedModelOptions,
): Promise<RecordedModel> {
  return await recordedModelWith(await import('./model-tapes.ts'), file, options)
}
