export { type Redactor, redactText } from '../core/redaction/redaction.ts'
