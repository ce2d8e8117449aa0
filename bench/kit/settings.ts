/** Settings of a PostgreSQL server for a machine of a few GB, in place of its defaults, which are for one of 128 MB. */
export const POSTGRES = { max_wal_size: '4GB', shared_buffers: '512MB' }
