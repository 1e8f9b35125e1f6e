/** An answer of the server that is an error, or a server that does not answer (`status` 0). */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  readonly code: string
  /** Seconds after which a new try makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    {
      retryAfter,
      cause,
    }: { readonly retryAfter?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}
