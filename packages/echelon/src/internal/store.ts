export { hasEnded } from '../core/store/has-ended.ts'
export { placeOfRun } from '../core/engine/place-of-run.ts'
export type { EventStore, StoredEvent } from '../core/store/event-store.ts'
export type { KeptOrder, OrderStore } from '../core/store/order-store.ts'
export type { KeyClaim, ResultStore } from '../core/store/result-store.ts'
export type {
  OpenRequest,
  Pruned,
  Retention,
  RunFilter,
  RunStatus,
  RunStore,
  RunSummary,
} from '../core/store/run-store.ts'
export type {
  SessionChange,
  SessionStore,
  SessionSummary,
  StoredSession,
} from '../core/store/session-store.ts'
export type { ArtifactIndex, AuditStore, IndexedArtifact, Store } from '../core/store/store.ts'
