import { EchelonError } from 'echelon/internal/value'

/** The error for settling a key that this process does not hold. */
export const keyLost = (key: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the idempotency key ${JSON.stringify(key)} is not held here: it was never claimed, is settled, or another process took it over; claim it again`,
    { details: { key } },
  )
