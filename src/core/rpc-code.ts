import type { ErrorCode } from './error.ts'

/**
 * The JSON-RPC error code that a request is answered with, for each error that can meet one. Three
 * are A2A's own (section 8 of its specification: task not found, unsupported operation, content
 * type not supported); ours lie within -32050 to -32099 of the range that JSON-RPC 2.0 leaves to
 * servers, clear of those that A2A uses or may come to use. What goes wrong inside a run is part of
 * its result, and none of these but MODEL_FAILED: a run whose model could not be asked.
 */
export const RPC_CODES: Readonly<Record<ErrorCode, number>> = {
  UNKNOWN_RUN: -32001,
  UNKNOWN_TOOL: -32004,
  INVALID_INPUT: -32005,
  INVALID_CONFIG: -32050,
  INVALID_DEFINITION: -32051,
  UNKNOWN_MODEL: -32052,
  MISSING_KEY: -32053,
  MISSING_PACKAGE: -32054,
  UNKNOWN_REQUEST: -32055,
  KEY_REUSED: -32056,
  JOURNAL_FAILED: -32057,
  JOURNAL_MISMATCH: -32058,
  UNEXPECTED_CALL: -32059,
  UNRECORDED_CALL: -32060,
  STATE_REFUSED: -32061,
  STATE_TOO_LARGE: -32062,
  SESSION_BUSY: -32063,
  NOT_PERMITTED: -32064,
  SERVER_UNREACHABLE: -32065,
  RUN_BUSY: -32066,
  RUN_SUSPENDED: -32067,
  STORE_UNUSABLE: -32068,
  MODEL_FAILED: -32069,
  NO_OUTPUT: -32070,
  STORE_DAMAGED: -32071,
}
