export { defineMiddleware } from '../core/extension/define-middleware.ts'
