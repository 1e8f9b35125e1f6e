import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const conversationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/conversations',
  component: lazyRouteComponent(() => import('./conversations-view.tsx'), 'ConversationsView'),
})

export interface ConversationSearch {
  /** The customer of a conversation with the support agent. */
  readonly customer?: string
  /** Whose conversation it is; default one's own. */
  readonly owner?: string
}

/** The part of a conversation's address that says whose it is. Without tokens, all are everybody's. */
export const whose = (owner: string | null): ConversationSearch =>
  owner === null || owner === 'local' ? {} : { owner }

export const conversationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/conversations/$agent/$session',
  validateSearch: ({ customer, owner }: Record<string, unknown>): ConversationSearch => ({
    ...(typeof customer === 'string' && { customer }),
    ...(typeof owner === 'string' && { owner }),
  }),
  component: lazyRouteComponent(() => import('./conversation-view.tsx'), 'ConversationView'),
})
