/** Why a question has no answer, as a sentence for whoever asked. Thrown inside the reader only. */
export class Misread extends Error {
  override readonly name = 'Misread'
}
