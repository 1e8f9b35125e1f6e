/** A thrown value as data, for developers. */
export type ThrownError = {
  readonly name: string
  readonly message: string
  /** The stack trace. */
  readonly stack?: string
  /** The cause. */
  readonly cause?: ThrownError
}

/** Maximum depth of causes that are followed. */
const MOST_CAUSES = 5

/** Describes anything that was thrown. Never throws. */
export function thrownError(error: unknown, causes: number = MOST_CAUSES): ThrownError {
  if (!(error instanceof Error)) return { name: typeof error, message: messageOf(error) }
  const { name, stack, cause } = error
  return {
    name,
    message: error.message,
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: thrownError(cause, causes - 1) }),
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it threw what cannot be read'
  }
}
