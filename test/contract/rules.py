"""What a request that fits the contract may be refused for; schemathesis loads it.

It replaces the check `positive_data_acceptance`, which takes every 422 for a finding. By section 7 of the specification
a 422 is also the answer of a business rule. A refusal of the request's form stays a finding: `validation_failed`, but
for the rules below that no schema states.
"""

import json

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Codes of fields, each with the reason why the contract can't keep the request away.
UNSTATED = {
    "channel_unknown": "names a channel that the company does not have",
    "category_unknown": "names a category that the store does not have",
    "phone_invalid": "the pattern has the form; which numbers are possible is in the numbering plans of all countries",
    "money_invalid": "the pattern has texts; a third decimal of a number is one that multipleOf finds in 0.07 as well",
    "timezone_unknown": "the pattern has the form; the list of zones grows with the IANA database",
    "invalid_place": "the pattern has the form; which positions there are depends on the history and the store under it",
    "pix_key_invalid": "check digits, by the type of the key beside it",
    "word_empty": "a letter or a digit of any script, which patterns of most tools can't say",
    "text_invalid": "NUL and lone surrogates are refused in every text and name, at any depth of free values",
    "name_not_allowed": "__proto__ is refused as a name at any depth of free values",
    "filters_not_combined": "each filter has an index of its own; OpenAPI can't say which parameters go together",
    "too_many_filters": "the same, of deliveries",
    "range_named_twice": "a time and a sequence exclude each other",
    "range_without_start": "one of the two is needed",
    "range_not_possible": "how far back deliveries are kept depends on the time and on the operator's setting",
    "not_used": "which fields a trigger takes depends on its type",
    "text_empty": "a text of blanks only; which characters are blank is Unicode's to say",
    "text_too_long": "the limit of a question's text and titles depends on whether its choices fit buttons",
    "link_invalid": "http and https; patterns can't say which addresses can be parsed",
    "url_not_allowed": "which addresses can be called depends on the operator's settings and on the names of hosts",
    "number_not_exact": "a property of how the number is written, which is gone once JSON is read",
}

# Places for which schemathesis takes values for valid that the schema refuses, each with the reason.
MISDRAWN = {
    "header.If-Match": "it puts letters and digits only into headers, and a tag has quotes",
}

# Codes of requests. Others than these and `validation_failed` are business rules.
FORM = {"validation_failed", "invalid_json"}

# Operations whose bodies are judged by their handlers, each with the reason.
JUDGED_BY_HANDLER = {
    "POST /store/products": "anyOf [StoreProductWrite, object]: taken as it is, judged field by field",
    "POST /store/products/batch": "anyOf [StoreProductWrite, object]: each item has an outcome of its own",
    "PATCH /store/products/{product_uuid}": "anyOf [StoreProductPatch, object]: as its creation",
    "POST /companies/{company_uuid}/store/products": "as POST /store/products",
    "PATCH /companies/{company_uuid}/store/products/{product_uuid}": "as PATCH /store/products",
    "POST /sandbox/plays/{play}": "the name in the path says what the body has; OpenAPI can't tie one to the other",
}

# Operations that take bytes, each with the reason why the contract can't name the types that they take.
TYPED_BY_HANDLER = {
    "POST /conversations/{conversation_uuid}/media": "WhatsApp takes other types as an image than as a document, and "
    "the query says as what; OpenAPI can't tie one to the other",
}


def is_business_rule(response, case):
    # A well-formed If-Match that names another version than the product's.
    if response.status_code == 412:
        return json.loads(response.content)["error"]["code"] == "precondition_failed"
    # A place in the events feed that is not kept any more, or not reached yet.
    if response.status_code == 410:
        return json.loads(response.content)["error"]["code"] == "events_expired"
    if response.status_code == 415:
        return case.operation.label in TYPED_BY_HANDLER
    if case.operation.label in JUDGED_BY_HANDLER:
        return response.status_code == 422
    error = json.loads(response.content)["error"]
    if error["code"] not in FORM:
        return response.status_code == 422
    fields = error["details"].get("fields", [])
    return len(fields) > 0 and all(field["code"] in UNSTATED or field["path"] in MISDRAWN for field in fields)


@schemathesis.check
def refused_by_business_rules_only(ctx, response, case):
    try:
        return positive_data_acceptance(ctx, response, case)
    except Failure:
        if is_business_rule(response, case):
            return None
        raise
