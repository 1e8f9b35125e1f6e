import { EchelonError } from 'echelon/internal/value'

/**
 * Loads code that needs the client of PostgreSQL. It is an optional package: a store in a file needs
 * none.
 */
export async function withClient<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new EchelonError(
      'MISSING_PACKAGE',
      'a store in PostgreSQL needs the package pg; install it: npm install pg@8',
      { cause },
    )
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
