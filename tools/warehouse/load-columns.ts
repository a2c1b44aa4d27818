/**
 * Columns that say how and when a row was loaded rather than what it says: two rows that differ in these alone are the same
 * row loaded twice.
 */
const LOAD_NAME =
  /^_|^(dw|dwh|etl|elt|load|ingest(ion)?|import|batch|sync|extract(ion)?|airbyte|fivetran|dlt|sdc|stitch|meta)(_.*)?$|^(run|dag_run|job|job_run|task_run|invocation|process|execution|pipeline_run)_?(id|no|number|key|uuid)$|^(try|attempt|retry)(_?(no|nr|num|number|id|count))?$|^(loaded|inserted|ingested|imported|synced|extracted|processed|landed|staged|written|received|replicated)(_?(at|on|ts|time|timestamp|date|dt|utc|by))$|^(row_?(hash|checksum)|record_hash|file_?name|source_?file(_?name)?|src_file|source_file_line|line_?no_in_file)$/i;

export function isLoadColumn(name: string): boolean {
  return LOAD_NAME.test(name);
}

const IDENTIFIER_NAME =
  /(^|_)(id|uuid|guid|key|code|number|no|nr|num|sku|ref|reference|hash|token|slug|email|isbn|iban)$|^(id|uuid|key)|Id$|ID$/;

export function isIdentifierName(name: string): boolean {
  return IDENTIFIER_NAME.test(name);
}
