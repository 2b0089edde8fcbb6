"""A loop in Python's own library, good by the kit's specification: a program in another language."""

import json
import os
import re
import urllib.request

TRIES = 3


def post(url, text):
    request = urllib.request.Request(
        url, data=text.encode(), headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        return response.read().decode()


def type_of(value):
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    names = {str: "string", list: "array", dict: "object", type(None): "null"}
    return names[type(value)]


def faults_in(schema, value, field="arguments"):
    wanted = schema.get("type")
    if wanted is not None and type_of(value) != wanted:
        return [f"{field}: expected {wanted}"]
    faults = []
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{field}: expected one of {', '.join(schema['enum'])}")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            faults.append(f"{field}: must match {schema['pattern']}")
        faults += limits(schema, "minLength", "maxLength", len(value), "characters", field)
    if type_of(value) == "integer":
        faults += limits(schema, "minimum", "maximum", value, "as a number", field)
    if isinstance(value, list):
        faults += limits(schema, "minItems", "maxItems", len(value), "items", field)
        for index, item in enumerate(value):
            faults += faults_in(schema.get("items", {}), item, f"{field}[{index}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                faults.append(f"{field}.{name}: is required")
        others = schema.get("additionalProperties", True)
        for name, member in value.items():
            if name in known:
                faults += faults_in(known[name], member, f"{field}.{name}")
            elif others is False:
                faults.append(f"{field}.{name}: is an unknown field")
            elif others is not True:
                faults += faults_in(others, member, f"{field}.{name}")
    return faults


def limits(schema, low, high, size, unit, field):
    if low in schema and size < schema[low]:
        return [f"{field}: at least {schema[low]} {unit}"]
    if high in schema and size > schema[high]:
        return [f"{field}: at most {schema[high]} {unit}"]
    return []


def is_open(text):
    """Whether a string, a list or an object is still open at the end."""
    closers, is_string, skip = [], False, False
    for letter in text:
        if skip:
            skip = False
        elif is_string and letter == "\\":
            skip = True
        elif letter == '"':
            is_string = not is_string
        elif not is_string and letter in "{[":
            closers.append("}" if letter == "{" else "]")
        elif not is_string and closers and letter == closers[-1]:
            closers.pop()
    return is_string or bool(closers)


def near_name(name, names):
    plain = lambda one: re.sub("[^a-z0-9]", "", one.split(".")[-1].lower())
    wanted = plain(name)
    for known in names:
        letters = plain(known)
        if letters == wanted or any(
            letters[:i] + letters[i + 1 :] == wanted for i in range(len(letters))
        ):
            return known
    return None


def main():
    with open(os.environ["KIT_TOOLS"]) as file:
        tools = {tool["name"]: tool for tool in json.load(file)}
    messages = [{"role": "user", "content": os.environ["KIT_PROMPT"]}]
    failures = {}

    def report(url, name, value):
        return post(os.environ[url], json.dumps({"name": name, "arguments": value}))

    def answer(name, text):
        """The answer to a call, the arguments as they are kept, and whether it says stop."""

        def refuse(words, kept):
            failures[name] = failures.get(name, 0) + 1
            stopped = failures[name] >= TRIES
            return words + ("\nStop: do not call it again." if stopped else ""), kept, stopped

        if name not in tools:
            near = near_name(name, tools)
            return refuse("There is no such tool." + (f" Call {near}." if near else ""), {})
        text = "{}" if text.strip() in ("", "null") else text
        try:
            value = json.loads(text, parse_float=exact)
        except OverflowError:
            return refuse("A number is too large to be kept.", {})
        except ValueError:
            cut = is_open(text)
            return refuse("The arguments are cut off." if cut else "The arguments are not JSON.", {})
        faults = faults_in(tools[name]["parameters"], value)
        if faults:
            return refuse("\n".join(faults[:10]), value)
        failures.pop(name, None)
        if tools[name].get("needsApproval"):
            report("KIT_APPROVE_URL", name, value)
        return report("KIT_RAN_URL", name, value), value, False

    may_call = True
    while True:
        body = {
            "model": "scripted",
            "messages": messages,
            "tool_choice": "auto" if may_call else "none",
            "tools": [{"type": "function", "function": tool} for tool in tools.values()],
        }
        url = os.environ["KIT_BASE_URL"] + "/chat/completions"
        message = json.loads(post(url, json.dumps(body)))["choices"][0]["message"]
        calls = message.get("tool_calls", [])
        if not calls:
            return
        answers, may_call = [], False
        for index, call in enumerate(calls):
            call["id"] = call["id"] or f"own_{len(messages)}_{index}"
            words, kept, stopped = answer(call["function"]["name"], call["function"]["arguments"])
            may_call = may_call or not stopped
            call["function"]["arguments"] = json.dumps(kept)
            answers.append({"role": "tool", "tool_call_id": call["id"], "content": words})
        messages.append(message)
        messages.extend(answers)


def exact(digits):
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise OverflowError
    return value


main()
