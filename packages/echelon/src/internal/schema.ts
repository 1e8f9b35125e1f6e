export { guardedSchema } from '../core/schema/guarded-schema.ts'
export { jsonSchemaCheck } from '../core/schema/json-schema.ts'
export { waysToMatch } from '../core/schema/pattern-cost.ts'
export { describeIssue, type Schema } from '../core/schema/schema.ts'
