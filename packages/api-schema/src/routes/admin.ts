import * as admin from '../admin.ts'
import { get, type Routes } from '../route.ts'

/** The calls of the operator's pages, `admin/...`: `access` is the role that each is for. */
export const adminRoutes = {
  adminMe: get({
    path: 'admin/me',
    access: 'viewer',
    summary: 'The own role',
    data: admin.adminMe,
  }),
  adminRoles: get({
    path: 'admin/roles',
    access: 'viewer',
    summary: 'All admins and their roles',
    data: admin.adminRoles,
  }),
} satisfies Routes
