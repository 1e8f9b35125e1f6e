export { createRedactor, type Redactor, redactText } from '../core/redaction/redaction.ts'
